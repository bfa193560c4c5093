"""Camera drivers, one file each."""
