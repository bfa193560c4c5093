"""Photo logs: scores from photos with rounds between them."""
