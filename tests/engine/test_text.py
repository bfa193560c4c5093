import pytest

from engine.text import ENGLISH, Text, say, say_n


class Ukrainian:
    """A catalogue of three messages, one of them with the three plural forms of the language."""

    def gettext(self, message):
        return {"blue": "синя", "a {colour} tile in row {row}": "ряд {row}: {colour} плитка"}.get(message, message)

    def ngettext(self, msgid1, msgid2, n):
        assert (msgid1, msgid2) == ("{count} tile, {colour}", "{count} tiles, {colour}")
        few = n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)
        one = n % 10 == 1 and n % 100 != 11
        return "{colour}: {count} " + ("плитка" if one else "плитки" if few else "плиток")


def test_a_sentence_is_its_english_template_filled_in():
    assert str(say("a {colour} tile in row {row}", colour=say("blue"), row=2)) == "a blue tile in row 2"


def test_a_sentence_is_translated_with_its_values_in_another_order():
    sentence = say("a {colour} tile in row {row}", colour=say("blue"), row=2)
    assert sentence.render(Ukrainian()) == "ряд 2: синя плитка"


def test_a_message_that_the_catalogue_lacks_stays_english():
    assert say("no such message: {n}", n=1).render(Ukrainian()) == "no such message: 1"


@pytest.mark.parametrize(
    ("count", "english", "ukrainian"),
    [
        (1, "1 tile, blue", "синя: 1 плитка"),
        (2, "2 tiles, blue", "синя: 2 плитки"),
        (5, "5 tiles, blue", "синя: 5 плиток"),
        (12, "12 tiles, blue", "синя: 12 плиток"),
        (21, "21 tiles, blue", "синя: 21 плитка"),
    ],
)
def test_plurals_are_those_of_the_language(count, english, ukrainian):
    sentence = say_n("{count} tile, {colour}", "{count} tiles, {colour}", count, colour=say("blue"))
    assert str(sentence) == english
    assert sentence.render(Ukrainian()) == ukrainian


def test_several_values_are_listed_each_translated():
    sentence = say("{colours}", colours=(say("blue"), say("red"), 3))
    assert sentence.render(Ukrainian()) == "синя, red, 3"


def test_what_people_wrote_is_not_taken_for_a_template():
    assert str(say("{problem}", problem="a {brace} and {0}")) == "a {brace} and {0}"


def test_sentences_are_values():
    assert say("a {n}", n=1) == Text("a {n}", (("n", 1),))
    assert len({say("a {n}", n=1), say("a {n}", n=1), say("a {n}", n=2)}) == 2


def test_english_is_any_catalogue_that_has_nothing():
    assert say("a {n}", n=1).render(ENGLISH) == "a 1"
