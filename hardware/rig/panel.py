"""A button that says a round is done, and a lamp that says the table needs somebody.

Whichever button it is, on GPIO or on a keyboard, its press goes into the same `Presses`. What the lamp calls for is on
every screen of the dashboard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from threading import Condition, Thread

from hardware.errors import HardwareError

BUTTON_PIN, LAMP_PIN = 17, 27
"""By their numbers at Broadcom, as gpiozero and pinout.xyz count: pins 11 and 13 of the header."""
BOUNCE_S = 0.05
INSTALL = "install what it needs with `sudo apt install python3-gpiozero python3-lgpio`, or play without"
WIRING = "is this a Pi, is the user in the group gpio, and does nothing else use that pin?"


class PanelError(HardwareError):
    """A button or a lamp that cannot be used."""


class Mood(Enum):
    """What the lamp says: for how many seconds it is on, then off; dark or steady without."""

    OFF = None
    WATCHING = ()
    ATTENTION = (0.5, 0.5)
    """A doubt or a violation waits for somebody."""
    TROUBLE = (0.1, 0.1)
    """The camera or the disk fails."""


class Presses:
    """Presses that nobody has taken yet; buttons press from any thread."""

    def __init__(self) -> None:
        self._pressed = Condition()
        self._count = 0

    def press(self) -> None:
        """A button was pressed."""
        with self._pressed:
            self._count += 1
            self._pressed.notify_all()

    def take(self, wait_s: float = 0.0) -> bool:
        """Take all presses there are; whether there was any, or came within that time."""
        with self._pressed:
            there = self._pressed.wait_for(lambda: self._count > 0, wait_s)
            self._count = 0
            return there


class GpioLamp:
    """A lamp between a pin and ground, with a resistor of 330 ohms."""

    def __init__(self, pin: int = LAMP_PIN) -> None:
        with _wiring(f"the lamp on GPIO {pin}"):
            from gpiozero import LED

            self._led = LED(pin)

    def show(self, mood: Mood) -> None:
        """Show it from now on; blinking goes on by itself."""
        if mood.value is None:
            self._led.off()
        elif not mood.value:
            self._led.on()
        else:
            self._led.blink(*mood.value)

    def close(self) -> None:
        """Go dark, and let the pin go."""
        self._led.close()


class GpioButton:
    """A button between a pin and ground."""

    def __init__(self, press: Callable[[], None], pin: int = BUTTON_PIN) -> None:
        with _wiring(f"the button on GPIO {pin}"):
            from gpiozero import Button

            self._button = Button(pin, bounce_time=BOUNCE_S)
        self._button.when_pressed = press

    def close(self) -> None:
        """Let the pin go."""
        self._button.close()


@contextmanager
def _wiring(what: str) -> Iterator[None]:
    """Tell what keeps a pin from being used."""
    try:
        from gpiozero import GPIOZeroError

        try:
            yield
        except (GPIOZeroError, OSError, *_driver_errors()) as error:
            raise PanelError(f"{what} cannot be used: {error}; {WIRING}") from error
    except ImportError as error:
        # Of gpiozero itself, or, when it comes to the first pin, of what drives the pins.
        raise PanelError(f"{what} cannot be used: {error}; {INSTALL}") from error


def _driver_errors() -> tuple[type[Exception], ...]:
    """What comes through gpiozero as it is: of a pin in use, lgpio speaks by an error of its own."""
    try:
        from lgpio import error
    except (ImportError, OSError):
        return ()
    return (error,)


def press_by_lines(lines: Iterable[str], press: Callable[[], None]) -> Thread:
    """Let each line be a press, such as those of `sys.stdin`: the Enter key is a button then."""

    def listen() -> None:
        for _ in lines:
            press()

    thread = Thread(target=listen, name="keyboard", daemon=True)
    thread.start()
    return thread
