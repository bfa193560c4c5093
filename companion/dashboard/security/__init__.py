"""Who may do what, keys, and limits on requests."""
