"""Following a game from look to look: what happened between two sightings."""
