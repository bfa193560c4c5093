"""Button and lamp, on gpiozero's mock pins."""

import builtins
import importlib.util
import os
import sys
import threading
from types import ModuleType

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from hardware.rig.panel import (
    BUTTON_PIN,
    LAMP_PIN,
    GpioButton,
    GpioLamp,
    Mood,
    PanelError,
    Presses,
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
    lamp = GpioLamp()
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


@pytest.mark.usefixtures("pins")
def test_pins_that_are_taken_are_told():
    lamp = GpioLamp()
    with pytest.raises(PanelError, match="cannot be used"):
        GpioButton(Presses().press, pin=LAMP_PIN)
    lamp.close()


@pytest.mark.usefixtures("pins")
@pytest.mark.parametrize("error", ["lgpio.error('GPIO busy')", "FileNotFoundError('.lgd-nfy-3')"])
def test_what_the_driver_of_the_pins_says_is_told(monkeypatch, error):
    lgpio = ModuleType("lgpio")
    vars(lgpio)["error"] = type("error", (Exception,), {})
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)

    def refuse(_):
        raise eval(error, {"lgpio": lgpio})  # noqa: S307 - one of two lines above

    monkeypatch.setattr("gpiozero.LED", refuse)
    with pytest.raises(PanelError, match="the lamp on GPIO 27 cannot be used"):
        GpioLamp()


@pytest.mark.skipif(importlib.util.find_spec("lgpio") is not None, reason="lgpio is here")
def test_without_what_drives_the_pins_it_says_how_to_get_it(monkeypatch):
    """As the service runs it, which asks for lgpio and nothing else."""
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    with pytest.raises(PanelError, match=r"No module named 'lgpio'; .*apt install python3-gpiozero python3-lgpio"):
        GpioLamp()


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
