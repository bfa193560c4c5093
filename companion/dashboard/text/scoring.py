"""Scores and results in the language of the device."""

from __future__ import annotations

from flask import Flask

from companion.dashboard.drawing.helpers import signed
from companion.dashboard.live.gaps import PointsGap
from companion.dashboard.text.language import player, told
from companion.dashboard.text.words import gettext as _
from companion.scores import Score, Standing
from engine import Start


def add_scoring(app: Flask) -> None:
    """Make these sentences known to templates."""
    app.jinja_env.globals.update(spoken=spoken, misfit=misfit, won=won, gained=gained, gap_points=gap_points)


def spoken(score: Score) -> str:
    """A score as it is read aloud."""
    return str(score) if score.exact else _("between %(low)s and %(high)s", low=score.low, high=score.high)


def gained(gain: Score) -> str:
    """Points that were made, with their sign; where they are open, the least and the most."""
    if gain.exact:
        return signed(gain.low)
    return _("%(low)s to %(high)s", low=signed(gain.low), high=signed(gain.high))


def gap_points(gap: PointsGap) -> str:
    """What is known of the points between the two looks of a bridge, in one line."""
    if gap.reasons is None:
        return _("Between these two photos: %(points)s. What they come from is not known.", points=gained(gap.gain))
    why = "; ".join(map(told, (gap.reasons.came, *gap.reasons.unseen)))
    return _("Between these two photos: %(points)s, from %(why)s.", points=gained(gap.gain), why=why)


def misfit(score: Score) -> str:
    """What is said of a score marker that shows another score than was earned; empty where none does."""
    if score.marker is None:
        return ""
    shown, given = score.marker.shown, Score(score.marker.low, score.marker.high)
    if (given.low, given.high) == (score.low, score.high):
        return _("The cube shows %(shown)s; the tiles make %(score)s.", shown=shown, score=given)
    return _("In the last photo the cube shows %(shown)s, where the tiles give %(score)s.", shown=shown, score=given)


def won(start: Start, standing: Standing) -> str:
    """Who has won a game that is over, or who may have."""
    if not standing.winners:
        names = f" {_('or')} ".join(player(start, seat) for seat in standing.contenders)
        return _("The winner is not known yet: %(names)s.", names=names)
    names = ", ".join(player(start, seat) for seat in standing.winners)
    if len(standing.winners) > 1:
        return _("Shared victory: %(names)s.", names=names)
    return _("%(name)s wins.", name=names)
