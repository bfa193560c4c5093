"""The editions, one folder each; `engine.load` finds them by name."""
