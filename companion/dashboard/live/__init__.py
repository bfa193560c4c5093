"""What the table's page shows while a game is played, and how it hears of changes."""
