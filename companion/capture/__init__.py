"""Cameras in use: sessions that follow a game, phones as cameras, and the service on a Pi."""
