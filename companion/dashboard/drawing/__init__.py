"""Boards, pieces and photos as pages show them."""
