"""Models holds the trained networks with their manifest, and the training that run time never imports."""
