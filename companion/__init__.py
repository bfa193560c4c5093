"""The companion: joins engine, vision and hardware into one command."""
