"""Training makes the networks of `models` and is never imported at run time."""
