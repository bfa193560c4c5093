"""Hardware holds the cameras, the simulated table and the rig, and knows no rules, only `engine.layout`."""
