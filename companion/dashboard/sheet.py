"""A game on paper: who won, the scores by round, how they grew, the boards, broken rules, every point explained."""

from __future__ import annotations

import io
from functools import lru_cache
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable, KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from companion.dashboard.drawing.helpers import round_name, signed, when
from companion.dashboard.drawing.printed import printed_board, printed_curves
from companion.dashboard.live.ending import ending
from companion.dashboard.live.timeline import frames
from companion.dashboard.live.view import TableView, rounds
from companion.dashboard.snapshot import Snapshot
from companion.dashboard.text.language import player, told, told_move
from companion.dashboard.text.scoring import misfit, won
from companion.dashboard.text.words import gettext as _
from engine.score import total
from hardware.rig import fonts

PLAIN, BOLD = "DejaVuSans", "DejaVuSans-Bold"
COBALT, PLASTER = colors.HexColor("#1d4e9e"), colors.HexColor("#eef2f9")
MARGIN = 18 * mm
HEADING = 12


def score_sheet(snapshot: Snapshot) -> bytes:
    """The sheet of a game as a PDF."""
    _load_fonts()
    file = io.BytesIO()
    title = snapshot.folded.title or snapshot.folded.edition.name
    document = SimpleDocTemplate(
        file, pagesize=A4, title=title, author="Azul Companion", leftMargin=MARGIN, rightMargin=MARGIN, topMargin=MARGIN
    )
    head = Paragraph(escape(title), _style(20, BOLD, COBALT))
    played = f"{snapshot.folded.edition.name} · {when(snapshot.game.created_at)}"
    begun = Paragraph(escape(played), _style(9, PLAIN, colors.grey))
    top = [head, Spacer(0, 3 * mm), begun, Spacer(0, 6 * mm), *_winner(snapshot)]
    parts = [_scores(snapshot), *_remarks(snapshot), *_curves(snapshot), *_boards(snapshot), *_broken(snapshot)]
    document.build([*top, *parts, *_reasons(snapshot)])
    return file.getvalue()


def _winner(snapshot: Snapshot) -> list[Flowable]:
    """Who has won, first of all."""
    now = snapshot.ledger.last
    said = Paragraph(escape(won(snapshot.start, now)), _style(15, BOLD))
    return [said, Spacer(0, 4 * mm)] if now.over else []


def _curves(snapshot: Snapshot) -> list[Flowable]:
    """How the scores grew, once the game is over."""
    ended = ending(snapshot)
    if ended is None:
        return []
    names = [player(snapshot.start, seat) for seat in snapshot.folded.setup.seats]
    heading = Paragraph(escape(_("How the scores grew")), _style(12, BOLD, COBALT))
    return [Spacer(0, 6 * mm), KeepTogether([heading, Spacer(0, 2 * mm), printed_curves(ended, names, 150 * mm)])]


def _boards(snapshot: Snapshot) -> list[Flowable]:
    """Everybody's boards as they lie, two side by side."""
    width = 84 * mm
    cells = []
    for place in TableView(snapshot).places:
        name = Paragraph(escape(f"{player(snapshot.start, place.seat)}: {place.score}"), _style(10, BOLD))
        cells.append([name, Spacer(0, 1 * mm), *(printed_board(each, width) for each in place.drawings)])
    rows = [cells[i : i + 2] for i in range(0, len(cells), 2)]
    rows[-1] += [[]] * (2 - len(rows[-1]))
    table = Table(rows, colWidths=[width + 3 * mm] * 2, hAlign="LEFT")
    table.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (-1, -1), 0)]))
    return [Spacer(0, 6 * mm), table]


def _broken(snapshot: Snapshot) -> list[Flowable]:
    """The rules that were broken, and whether the table allowed it."""
    breaches = snapshot.folded.breaches
    if not breaches:
        return []
    rulebook, found = snapshot.folded.edition.rulebook, []
    for breach in breaches:
        violation = breach.violation
        whose = f"{player(snapshot.start, violation.seat)}: " if violation.seat else ""
        rule = f" — {told(rulebook[violation.rule].text)}" if violation.rule in rulebook else ""
        allowed = f" ({_('allowed')})" if breach.allowed else ""
        text = f"{whose}{told_move(snapshot.start, violation.text)}{allowed}. {violation.rule}{rule}"
        found += [Paragraph(escape(text), _style(9)), Spacer(0, 1 * mm)]
    heading = Paragraph(escape(_("Broken rules")), _style(12, BOLD, COBALT))
    return [Spacer(0, 6 * mm), heading, Spacer(0, 2 * mm), *found]


@lru_cache
def _load_fonts() -> None:
    for name, path in ((PLAIN, fonts.REGULAR), (BOLD, fonts.BOLD)):
        pdfmetrics.registerFont(TTFont(name, path))


def _style(size: float, font: str = PLAIN, colour: colors.Color = colors.black) -> ParagraphStyle:
    is_heading = size >= HEADING and font == BOLD
    return ParagraphStyle(
        "text", fontName=font, fontSize=size, leading=1.35 * size, textColor=colour, keepWithNext=is_heading
    )


def _scores(snapshot: Snapshot) -> Table:
    """A row for every round, a column for every player."""
    folded = snapshot.folded
    seats = folded.setup.seats
    made = {seat: dict(rounds(snapshot, seat)) for seat in seats}
    numbers = sorted({number for by_round in made.values() for number in by_round})
    names = [Paragraph(escape(player(snapshot.start, seat)), _style(10, BOLD)) for seat in seats]
    rows: list[list[object]] = [["", *names]]
    for number in numbers:
        points = [total(made[seat].get(number, ())) for seat in seats]
        rows.append([_("Round %(number)s", number=number), *map(signed, points)])
    places, now = TableView(snapshot).places, snapshot.ledger.last
    rows.append([_("Score"), *map(str, now.track)])
    if now.over:
        rows.append([_("Bonuses"), *(signed(place.bonus or 0) for place in places)])
        rows.append([_("Total"), *map(str, now.scores)])
    table = Table(rows, colWidths=[38 * mm, *[30 * mm] * len(seats)], hAlign="LEFT")
    table.setStyle(
        TableStyle(
            [
                ("FONT", (0, 0), (-1, -1), PLAIN, 10),
                ("FONT", (0, -1), (-1, -1), BOLD, 12),
                ("BACKGROUND", (0, 0), (-1, 0), PLASTER),
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, COBALT),
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ]
        )
    )
    return table


def _remarks(snapshot: Snapshot) -> list[Flowable]:
    """Which scores are open, which cubes do not fit, and where moves were missed."""
    now = snapshot.ledger.last
    said = [f"{round_name(frame.round)}: {frame.said}" for frame in frames(snapshot) if frame.bridged]
    for seat, score in enumerate(now.track, 1):
        told = [] if score.exact else [_("The photos leave this score open.")]
        if told := [*told, *filter(None, [misfit(score)])]:
            said.append(f"{player(snapshot.start, seat)}: {' '.join(told)}")
    return [Spacer(0, 4 * mm), *(Paragraph(escape(text), _style(10)) for text in said)] if said else []


def _reasons(snapshot: Snapshot) -> list[Flowable]:
    """Every point with its reason."""
    found: list[Flowable] = [Spacer(0, 8 * mm)]
    for seat in snapshot.folded.setup.seats:
        found += [Paragraph(escape(player(snapshot.start, seat)), _style(12, BOLD, COBALT)), Spacer(0, 2 * mm)]
        for number, lines in rounds(snapshot, seat):
            reasons = "; ".join(f"{signed(line.points)} {told(line.text)}" for line in lines)
            text = f"{_('Round %(number)s', number=number)}: {reasons}"
            found += [Paragraph(escape(text), _style(9)), Spacer(0, 1 * mm)]
        found.append(Spacer(0, 4 * mm))
    return found
