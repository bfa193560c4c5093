"""`azul bench fuzz`: bad inputs through every entrance."""

from __future__ import annotations

import resource
import sys
from hashlib import sha256
from pathlib import Path

import click

from companion.lab.fuzz import fuzz
from companion.terminal import columns

HEAD = ("entrance", "tried", "taken", "slowest", "failures")


@click.command()
@click.option("--seconds", type=click.FloatRange(1), default=60.0, show_default=True, help="How long to try.")
@click.option("--most", type=click.IntRange(1), default=10**9, help="The most inputs for each entrance.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--entrance", "names", multiple=True, help="Only this one; may be given several times.")
@click.option("--keep", type=click.Path(file_okay=False, path_type=Path), help="Keep inputs that fail in this folder.")
def command(seconds: float, most: int, seed: int, names: tuple[str, ...], keep: Path | None) -> None:
    """Try bad photos, records, tables, bundles, backups, settings, keys, databases and requests.

    Exit status: 0 all were answered, 1 one had a traceback, a status 500 or took longer than 30 seconds.
    """
    tallies = fuzz(seconds, seed, most, names)
    rows = [
        (name, str(tally.tried), str(tally.taken), f"{tally.slowest_s:.1f} s", str(len(tally.failures)))
        for name, tally in tallies.items()
    ]
    click.echo("\n".join(columns([HEAD, *rows])))
    most_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    child_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    click.echo(f"most memory: {most_mb} MB, and {child_mb} MB in the decoder")
    for name, tally in tallies.items():
        for why, data in tally.failures:
            click.echo(f"{name}: {why}", err=True)
            if keep:
                (keep / name).mkdir(parents=True, exist_ok=True)
                (keep / name / sha256(data).hexdigest()[:12]).write_bytes(data)
    sys.exit(any(tally.failures for tally in tallies.values()))
