"""Photo logs: photos of a game, taken now and then, in the game log.

Read `reading` (photos to readings), `memory` (what a log knows of its photos), `scribe` (what is written into it), then
`report` (what is told of it), and `companion.reconcile.photolog.reconstruct` for how scores are found.
"""
