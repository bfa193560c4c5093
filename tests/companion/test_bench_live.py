"""How followed games are judged, and the command that does it."""

from __future__ import annotations

import json

from click.testing import CliRunner

from companion.cli.commands import bench_live
from companion.lab.imagine import imagine
from companion.lab.looking import misread
from companion.lab.trial import TrialVerdict, judge, looks_alike, meeting, played
from companion.reconcile.live.places import seat_all
from engine import load
from engine.editions.azul.moves import Take
from engine.moves import Correct, Fill, Slip

AZUL = load("azul")
START = AZUL.start(AZUL.setup("coloured", 2))
FILL = Fill(("BBKR", "KKWY", "RRRW", "BYYY", "KRWW"))
FIRST, SECOND = Take(1, 2, "K", 3), Take(2, 3, "R", 4)


def judged(truth, followed):
    return judge(AZUL, START, truth, followed, TrialVerdict())


def test_a_game_that_was_followed_is_all_right():
    verdict = judged([FILL, FIRST, SECOND], [FILL, FIRST, SECOND])
    assert (verdict.moves, verdict.right, verdict.alike, verdict.false) == (3, 3, 0, 0)


def test_a_move_that_was_not_told_or_told_wrongly_is_not_right():
    assert judged([FILL, FIRST, SECOND], [FILL, FIRST]).right == 2
    assert judged([FILL, FIRST], [FILL, Take(1, 2, "K", 4)]).right == 1


def test_discs_that_look_alike_cannot_be_told_apart():
    fill = Fill(("BBKR", "KKWY", "RRRW", "BYYY", "KKRW"))
    truth = [fill, Take(1, 2, "W", 1), Take(2, 5, "W", 1)]
    followed = [fill, Take(1, 5, "W", 1), Take(2, 2, "W", 1)]
    verdict = judged(truth, followed)
    assert (verdict.right, verdict.alike) == (1, 2)
    astray = judged(truth, [fill, Take(1, 5, "W", 2), Take(2, 2, "W", 1)])
    assert (astray.right, astray.alike) == (1, 0)


def test_moves_in_another_order_that_come_to_the_same_cannot_be_told_apart():
    fill = Fill(("BBKR", "BBKR", "RRRW", "BYYY", "KRWW"))
    truth = [fill, Take(1, 1, "B", 2), Take(2, 3, "R", 3), Take(1, 2, "B", 4)]
    followed = [fill, Take(1, 2, "B", 4), Take(2, 3, "R", 3), Take(1, 1, "B", 2)]
    verdict = judged(truth, followed)
    assert (verdict.right, verdict.alike) == (2, 2)


def test_a_breach_counts_as_named_by_its_rule_however_it_is_told():
    truth = [FILL, FIRST, Take(2, 3, "R", 5, (Slip("split", "R", 2),))]
    verdict = judged(truth, [FILL, FIRST, Take(2, 3, "R", 2, (Slip("split", "RR", 5),))])
    assert (verdict.breaches, verdict.named, verdict.false) == (1, 1, 0)
    verdict = judged(truth, [FILL, FIRST, Take(2, 3, "R", 5)])
    assert (verdict.breaches, verdict.named) == (1, 0)


def test_discs_are_told_by_what_lies_on_them():
    other = Fill(("KKWY", "BBKR", "RRRW", "BYYY", "KRWW"))
    truth = [FILL, Take(1, 2, "K", 3, (Slip("extra", "K", 1),))]
    verdict = judged(truth, [other, Take(1, 1, "K", 3, (Slip("extra", "K", 2),))])
    assert (verdict.right, verdict.named, verdict.false) == (2, 1, 0)


def test_who_is_accused_without_reason_is_counted():
    assert judged([FILL, FIRST], [FILL, Take(2, 2, "K", 3)]).false == 1


def test_a_disc_that_was_set_right_is_told_as_it_is():
    misread = Fill(("BBKR", "KKRY", "RRRW", "BYYY", "KRWW"))
    right = Correct(0, (("factory.2", "KKWY"),))
    assert judged([FILL, FIRST], [misread, right, FIRST]).right == 2
    assert judged([FILL, FIRST], [misread, FIRST]).right == 0


def test_a_person_goes_back_only_to_where_games_looked_alike():
    wrong = Take(2, 3, "R", 5)
    assert meeting(AZUL, START, [FILL, FIRST, SECOND], [FILL, FIRST, wrong]) == (2, 2)
    assert meeting(AZUL, START, [FILL, FIRST, SECOND], [FILL, FIRST, SECOND]) == (3, 3)
    renumbered = [Fill(FILL.factories[::-1]), Take(1, 4, "K", 3)]
    assert meeting(AZUL, START, [FILL, FIRST, SECOND], renumbered) == (2, 2)
    hidden = Take(1, 2, "K", 1, (Slip("hidden", "K"),))
    stacked = Take(1, 2, "K", 1, (Slip("stacked", "K"),))
    assert looks_alike(AZUL, played(AZUL, START, [FILL, hidden]), played(AZUL, START, [FILL, stacked]))


def test_games_that_are_kept_are_not_played_again(tmp_path, monkeypatch):
    kept = tmp_path / "kept.json"
    arguments = ["--sightings", "1", "--kept", str(kept)]
    first = CliRunner().invoke(bench_live.command, arguments)
    assert first.exit_code == 0, first.output
    assert "moves right" in first.output
    told = json.loads(kept.read_text(encoding="utf-8"))
    assert told["0"]["moves"] > 30
    assert told["0"]["right"] + told["0"]["alike"] == told["0"]["moves"]
    assert told["0"]["final_right"]
    monkeypatch.setattr(bench_live, "rehearse_sightings", None)
    assert CliRunner().invoke(bench_live.command, arguments).output == first.output


def test_looks_are_left_out_of_games_through_pixels_too():
    result = CliRunner().invoke(bench_live.command, ["--games", "1", "--missing", "0.9"])
    assert result.exit_code == 0, result.output
    told = {label.strip(): rest for label, _, rest in (line.partition("  ") for line in _figures(result.output))}
    for label in ("boards right at once", "games to the end", "exact or inside"):
        assert "100.00%" in told[label], result.output
    assert "0.000 a game" in told["false violations"]
    assert "1 games, 8 looks, 50 left out" in result.output


def _figures(output):
    return [line.strip() for line in output.splitlines() if line.startswith("  ")]


def test_a_note_tells_a_misreading_from_wrong_reconciling():
    true = AZUL.table(played(AZUL, START, [FILL, FIRST]))
    seen = seat_all(imagine(true), 2, 5)
    assert misread(AZUL, seen, true) == []
    other = AZUL.table(played(AZUL, START, [FILL, Take(1, 2, "W", 3)]))
    assert misread(AZUL, seen, other) == ["1 line.3.2 K/.", "1 line.3.3 K/W", "loose pieces W/KK"]
    assert misread(AZUL, None, true) == ["not every board was found"]
