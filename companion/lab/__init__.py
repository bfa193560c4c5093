"""The laboratory: simulated players, imagined sightings, examinations, benchmarks. It stays apart from the table."""
