"""Networks are exact on every processor."""

import pytest

from vision.network import overflows


@pytest.mark.parametrize(
    ("machine", "flags", "wanted"),
    [
        ("x86_64", "flags : fpu sse2 avx2 avx512f", True),
        ("AMD64", "flags : fpu avx2 avx512_vnni", False),
        ("x86_64", "flags : fpu avx2 avx_vnni", False),
        ("aarch64", "Features : fp asimd", False),
    ],
)
def test_processors_that_let_products_overflow_are_told_by_their_flags(tmp_path, machine, flags, wanted):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(f"processor : 0\n{flags}\n")
    assert overflows(machine, cpuinfo) == wanted


def test_a_pc_that_says_nothing_of_its_processor_is_taken_to_overflow(tmp_path):
    assert overflows("AMD64", tmp_path / "none")
    assert not overflows("arm64", tmp_path / "none")
