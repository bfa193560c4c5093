"""What stands around the table: sheets to print, the mount, button and lamp, and how high the camera hangs."""
