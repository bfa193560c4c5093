"""The database of the game log: its tables, its connections, and bringing it up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Column,
    Connection,
    Engine,
    ForeignKey,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    create_engine,
    event,
    inspect,
    text,
)

from companion.gamelog.errors import GameLogError

HEAD = "0002"
"""The newest schema, by the revision of its migration."""
MIGRATIONS_DIR = Path(__file__).parent / "migrations"
BUSY_MS = 10_000
"""How long to wait for another program that is writing."""
WRITES = "azul_writes"
"""The execution option of connections that will write."""

metadata = MetaData()

games = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("edition", Text, nullable=False),
    Column("side", Text, nullable=False),
    Column("players", Text, nullable=False),
    Column("first", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("number", Integer, nullable=False),
)

photos = Table(
    "photos",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("bytes", Integer, nullable=False),
    Column("taken_at", Text),
    Column("source", Text, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("game", Text, ForeignKey("games.id"), nullable=False),
    Column("n", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("photo", Text, ForeignKey("photos.sha256")),
    Column("at", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("link", Text, nullable=False),
    PrimaryKeyConstraint("game", "n"),
)


def open_database(path: Path) -> Engine:
    """Connect to a database, made if there is none, whose commits are on the disk when they return."""
    engine = create_engine(URL.create("sqlite", database=str(path)))
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def upgrade(connection: Connection, path: Path) -> None:
    """Bring the schema up to date, inside the connection's transaction."""
    version = version_of(connection)
    if version == HEAD:
        return
    if version is not None and version > HEAD:
        raise GameLogError(
            f"{path} was written by a newer azul-companion (schema {version}, this one knows {HEAD}): "
            "update azul-companion; nothing was changed"
        )
    # Alembic takes a while to import, and is needed only here.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS_DIR).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, HEAD)


def version_of(connection: Connection) -> str | None:
    """The revision of a database, none for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return version


def _set_up(connection: Any, _record: object) -> None:
    # The driver's own transactions begin too late to keep others from writing in between: ours are begun below.
    connection.isolation_level = None
    pragmas = [f"busy_timeout = {BUSY_MS}", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"]
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}").close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
