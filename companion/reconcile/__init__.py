"""From what was seen to what it means."""
