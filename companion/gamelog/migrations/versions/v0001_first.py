"""The first schema: games, their events, their photos."""

from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, PrimaryKeyConstraint, Text

revision = "0001"
down_revision = None

TRIGGERS = (
    "CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END",
    "CREATE TRIGGER events_last BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END",
    "CREATE TRIGGER events_follow BEFORE INSERT ON events "
    "WHEN NEW.n != (SELECT coalesce(max(n), 0) + 1 FROM events WHERE game = NEW.game) "
    "BEGIN SELECT RAISE(ABORT, 'events are numbered without gaps'); END",
)


def upgrade() -> None:
    """Make everything."""
    op.create_table(
        "games",
        Column("id", Text, primary_key=True),
        Column("edition", Text, nullable=False),
        Column("side", Text, nullable=False),
        Column("players", Text, nullable=False),
        Column("first", Integer, nullable=False),
        Column("options", Text, nullable=False),
        Column("created_at", Text, nullable=False),
    )
    op.create_table(
        "photos",
        Column("sha256", Text, primary_key=True),
        Column("bytes", Integer, nullable=False),
        Column("taken_at", Text),
        Column("source", Text, nullable=False),
    )
    op.create_table(
        "events",
        Column("game", Text, ForeignKey("games.id"), nullable=False),
        Column("n", Integer, nullable=False),
        Column("kind", Text, nullable=False),
        Column("body", Text, nullable=False),
        Column("photo", Text, ForeignKey("photos.sha256")),
        Column("at", Text, nullable=False),
        Column("who", Text, nullable=False),
        PrimaryKeyConstraint("game", "n"),
    )
    for trigger in TRIGGERS:
        op.execute(trigger)
