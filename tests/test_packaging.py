"""The five top-level names are common words: they must be ours alone, and be packaged as they stand."""

import importlib.util
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[1]
DISTRIBUTION = "azul-companion"
PACKAGES = {"engine", "vision", "companion", "models", "hardware"}
REQUIREMENTS = sorted((ROOT / "requirements").glob("*.txt"))


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Build the wheel for real and list what is in it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = folder.glob("*.whl")
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_wheel_holds_our_five_packages_and_nothing_else(wheel_names: set[str]) -> None:
    tops = {PurePosixPath(name).parts[0] for name in wheel_names}
    assert {top for top in tops if not top.endswith(".dist-info")} == PACKAGES


def test_wheel_holds_every_source_and_data_file(wheel_names: set[str]) -> None:
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*")]
    ours = {path.relative_to(ROOT).as_posix() for path in files if path.suffix in {".py", ".toml", ".typed"}}
    assert ours - wheel_names == set()


def test_wheel_holds_the_layout_of_every_edition(wheel_names: set[str]) -> None:
    editions = [path.parent.name for path in (ROOT / "engine" / "editions").glob("*/__init__.py")]
    assert editions, "no edition was found below engine/editions"
    assert {f"engine/editions/{slug}/layout.toml" for slug in editions} - wheel_names == set()


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_name_is_imported_from_here(package: str) -> None:
    spec = importlib.util.find_spec(package)
    assert spec is not None, f"{package} cannot be imported: run make test, which installs it"
    assert spec.origin is not None, f"{package} has no __init__.py"
    assert Path(spec.origin).resolve() == ROOT / package / "__init__.py"


def test_no_other_distribution_installs_our_names() -> None:
    """Read the installed files themselves: packages_distributions() misses editable installs."""
    intruders = {
        f"{other.metadata['Name']}: {file}"
        for other in metadata.distributions()
        if _normal(other.metadata["Name"]) != DISTRIBUTION
        for file in other.files or ()
        if file.parts[0].split(".")[0] in PACKAGES
    }
    assert intruders == set()


def test_command_is_installed() -> None:
    (command,) = metadata.distribution(DISTRIBUTION).entry_points.select(group="console_scripts")
    assert command.name == "azul"
    assert callable(command.load())


def test_extras_for_a_pi_are_named_and_nothing_else_needs_them() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {
        name: [re.split(r"[<>=;\s]", each)[0] for each in needs]
        for name, needs in project["optional-dependencies"].items()
    }
    assert extras == {"gpio": ["gpiozero"], "pi": ["picamera2"]}
    pinned = "".join(path.read_text(encoding="utf-8") for path in REQUIREMENTS)
    assert "picamera2" not in pinned
    assert "opencv-python==" not in pinned


def test_never_uploaded() -> None:
    assert "Private :: Do Not Upload" in metadata.metadata(DISTRIBUTION).get_all("Classifier", [])


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.name)
def test_requirements_name_no_address(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"\S*://\S*|--(?:extra-)?index-url|--find-links|--trusted-host", text) == []


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.name)
def test_requirements_are_pinned_and_hashed(path: Path) -> None:
    text = re.sub(r"(?m)^\s*#.*\n", "", path.read_text(encoding="utf-8"))
    requirements = text.replace("\\\n", " ").splitlines()
    assert requirements
    pinned = re.compile(r"[\w.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}")
    assert [line for line in requirements if not pinned.match(line)] == []


def test_dev_requirements_hold_the_run_requirements() -> None:
    """Tests then run against the very versions that players get."""
    run, dev = (_pins(ROOT / "requirements" / name) for name in ("run.txt", "dev.txt"))
    assert run
    assert run - dev == set()


def _pins(path: Path) -> set[str]:
    return set(re.findall(r"(?m)^[\w.-]+==[^\s\\]+", path.read_text(encoding="utf-8")))


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
