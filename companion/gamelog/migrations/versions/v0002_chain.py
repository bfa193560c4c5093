"""Games numbered as they were written, events chained by hash."""

from alembic import op
from sqlalchemy import Column, Integer, Text, text

from companion.gamelog.chain import first_link, next_link

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Number and chain what is there."""
    op.add_column("games", Column("number", Integer, nullable=False, server_default="0"))
    op.add_column("events", Column("link", Text, nullable=False, server_default=""))
    connection = op.get_bind()
    connection.execute(text("UPDATE games SET number = rowid"))
    guard = connection.execute(text("SELECT sql FROM sqlite_master WHERE name = 'events_stay'")).scalar_one()
    connection.execute(text("DROP TRIGGER events_stay"))
    for game in connection.execute(text("SELECT * FROM games")).mappings().all():
        link = first_link(game)
        events = text("SELECT * FROM events WHERE game = :game ORDER BY n")
        for event in connection.execute(events, {"game": game["id"]}).mappings().all():
            link = next_link(link, event)
            change = text("UPDATE events SET link = :link WHERE game = :game AND n = :n")
            connection.execute(change, {"link": link, "game": game["id"], "n": event["n"]})
    connection.execute(text(guard))
