"""The simulated table: photographs of any position of any layout, with the truth."""
