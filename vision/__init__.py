"""Vision turns pixels into a Sighting of the table and knows no rules, only `engine.layout`."""
