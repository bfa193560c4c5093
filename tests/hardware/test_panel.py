"""Button and lamp, on gpiozero's mock pins."""

import builtins
import os
import threading

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from hardware.rig.panel import (
    BUTTON_PIN,
    LAMP_PIN,
    GpioButton,
    GpioLamp,
    Lamp,
    Mood,
    PanelError,
    Presses,
    ShownLamp,
    press_by_lines,
)


@pytest.fixture
def pins(monkeypatch):
    factory = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", factory)
    yield factory
    factory.reset()


def test_every_button_presses_the_same_way(pins):
    presses = Presses()
    assert not presses.take()
    button = GpioButton(presses.press)
    pins.pin(BUTTON_PIN).drive_low()
    assert presses.take(5)
    assert not presses.take(), "a press is taken once"
    read, write = os.pipe()
    with os.fdopen(read) as keyboard, os.fdopen(write, "w", buffering=1) as keys:
        listening = press_by_lines(keyboard, presses.press)
        keys.write("\n")
        assert presses.take(5)
        keys.close()
        listening.join()
    presses.press()
    assert presses.take()
    button.close()


def test_a_press_wakes_who_waits_for_it():
    presses = Presses()
    threading.Thread(target=presses.press).start()
    assert presses.take(5)


def test_the_lamp_shows_moods(pins):
    lamp: Lamp = GpioLamp()
    pin = pins.pin(LAMP_PIN)
    lamp.show(Mood.WATCHING)
    assert pin.state
    lamp.show(Mood.OFF)
    assert not pin.state
    switched = threading.Event()
    changes = []

    def notice(state):
        changes.append(state)
        if len(changes) >= 3:
            switched.set()

    set_state = pin._set_state
    pin._set_state = lambda value: (set_state(value), notice(value))
    lamp.show(Mood.TROUBLE)
    assert switched.wait(5)
    assert len(set(changes)) == 2
    lamp.close()


def test_a_lamp_on_a_screen():
    shown = ShownLamp()
    lamp: Lamp = shown
    moods = []
    for act in (lambda: lamp.show(Mood.ATTENTION), lamp.close):
        act()
        moods.append(shown.mood)
    assert moods == [Mood.ATTENTION, Mood.OFF]


@pytest.mark.usefixtures("pins")
def test_pins_that_are_taken_are_told():
    lamp = GpioLamp()
    with pytest.raises(PanelError, match="cannot be used"):
        GpioButton(Presses().press, pin=LAMP_PIN)
    lamp.close()


@pytest.mark.parametrize("make", [GpioLamp, lambda: GpioButton(Presses().press)])
def test_without_gpiozero_it_says_how_to_get_it(monkeypatch, make):
    real = builtins.__import__

    def missing(name, *rest, **more):
        if name == "gpiozero":
            raise ImportError("No module named 'gpiozero'")
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(PanelError, match="apt install python3-gpiozero"):
        make()
