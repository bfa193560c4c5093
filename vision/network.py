"""A trained network from its file."""

from __future__ import annotations

import hashlib
import platform
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.text import EditionName, Text, say
from vision.errors import ModelError

Floats = NDArray[np.float32]


VNNI = {"avx512_vnni", "avx_vnni"}
CPUINFO = Path("/proc/cpuinfo")


def overflows(machine: str, cpuinfo: Path = CPUINFO) -> bool:
    """Whether sums of products of bytes may overflow: on a PC whose processor has no instruction of its own for them.

    There the networks are to be exact rather than fast, and so they are where nobody can tell.
    """
    if machine.lower() not in ("x86_64", "amd64"):
        return False
    try:
        return VNNI.isdisjoint(cpuinfo.read_text(encoding="ascii", errors="replace").split())
    except OSError:
        return True


class Network:
    """An ONNX network; on several cores only where nothing else waits for them."""

    def __init__(self, path: Path, sha256: str, cores: int = 1) -> None:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise ModelError(
                say("cannot read the network {file}: {error}; install the companion again", file=path.name, error=error)
            ) from error
        found = hashlib.sha256(data).hexdigest()
        if found != sha256:
            raise ModelError(
                say(
                    "the network {file} is not the one in the manifest (sha256 {found}, not {wanted}); "
                    "install the companion again, or train anew",
                    file=path.name,
                    found=found[:12],
                    wanted=sha256[:12],
                )
            )
        # Imported here, since it takes a tenth of a second and most commands look at no picture.
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = cores
        # Threads that wait by spinning would keep a Pi busy while the table is still.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        if overflows(platform.machine()):
            options.add_session_config_entry("session.x64quantprecision", "1")
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        self._inputs = [entry.name for entry in self._session.get_inputs()]

    def __call__(self, pictures: NDArray[np.uint8], *others: Floats) -> list[Floats]:
        """The outputs for pictures, (n, height, width, channels), and what else the file asks for, in its order."""
        inputs = (pictures, *others)
        return list(self._session.run(None, dict(zip(self._inputs, inputs, strict=True))))


@dataclass(frozen=True)
class Models:
    """The networks that know a family of editions, and what their outputs mean."""

    finder: Network
    aligner: Network
    fitter: Network
    reader: Network
    loose: Network
    closeup: Network | None
    """Of families whose pieces have to be looked at from close by."""
    kinds: tuple[str, ...]
    """The boards that can be told apart, each as `kind_of` reads it."""
    labels: tuple[str, ...]
    """What a cell may be read as."""
    temperatures: Mapping[str, float]
    """What scores are divided by to make them probabilities that hold."""
    compares: bool
    """Whether kinds that are told from close by are compared with the other pieces of their board, too."""


def load_models(folder: Path, cores: int = 1) -> Models:
    """The networks that a folder's manifest names, each refused if its file is another; they run on so many cores."""
    manifest = load_manifest(folder)
    files = manifest["networks"]
    networks = {name: Network(folder / told["file"], told["sha256"], cores) for name, told in files.items()}
    return Models(
        **{name: networks[name] for name in NETWORKS},
        closeup=networks.get(CLOSEUP),
        kinds=tuple(manifest["kinds"]),
        labels=tuple(manifest["labels"]),
        temperatures=manifest["temperatures"],
        compares=True,
    )


class Families:
    """Networks by the family of editions that they know, one folder each; those of a family are loaded once."""

    def __init__(self, folder: Path, cores: int = 1) -> None:
        self._cores = cores
        self._kinds = {path: tuple(load_manifest(path)["kinds"]) for path in family_folders(folder)}
        self._loaded: dict[Path, Models] = {}
        self._loading = Lock()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The boards that can be told apart."""
        return tuple(kind for kinds in self._kinds.values() for kind in kinds)

    def knowing(self, edition: str | None) -> list[Models]:
        """The family that knows an edition; all of them where none is told."""
        return [
            self._load(folder)
            for folder, kinds in self._kinds.items()
            if edition is None or edition in editions_of(kinds)
        ]

    def changed(self, change: Callable[[Models], Models]) -> Families:
        """The same families, each with a change made to it."""
        other = copy(self)
        other._loaded = {folder: change(self._load(folder)) for folder in self._kinds}
        return other

    def _load(self, folder: Path) -> Models:
        with self._loading:
            if folder not in self._loaded:
                self._loaded[folder] = load_models(folder, self._cores)
            return self._loaded[folder]


def family_folders(folder: Path) -> list[Path]:
    """The folders of networks in a folder."""
    found = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    if not found:
        raise ModelError(say("there are no networks in {folder}; install the companion again", folder=folder.name))
    return found


def load_manifest(folder: Path) -> dict[str, Any]:
    """What a folder's manifest says of its networks; no network is loaded for it."""
    path = folder / MANIFEST
    try:
        manifest: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ModelError(
            say("cannot read the network {file}: {error}; install the companion again", file=path.name, error=error)
        ) from error
    return manifest


class Kind(NamedTuple):
    """A kind of board: the edition, the side that lies up, and the surface where it is not the first of a seat."""

    edition: str
    side: str
    surface: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, self))


def kind_of(text: str) -> Kind:
    """A kind of board by its text: `edition side`, or `edition side surface`."""
    return Kind(*text.split())


def editions_of(kinds: Iterable[str]) -> tuple[str, ...]:
    """The editions among kinds of boards."""
    return tuple(dict.fromkeys(kind_of(kind).edition for kind in kinds))


def unreadable(edition: str, known: Sequence[str]) -> Text | None:
    """Why pictures of an edition cannot be read, where these are known, and what to do; None where they can."""
    if edition in known:
        return None
    return say(
        "photos of {edition} cannot be read yet, as no network knows its boards; those of {known} can; games of every "
        "edition can be kept by hand on the dashboard, and `azul check`, `azul show` and `azul verify` know them all",
        edition=EditionName(edition),
        known=tuple(map(EditionName, known)),
    )


MANIFEST = "manifest.toml"
NETWORKS = ("finder", "aligner", "fitter", "reader", "loose")
CLOSEUP = "closeup"
"""A sixth network, of families whose pieces have to be looked at from close by."""
