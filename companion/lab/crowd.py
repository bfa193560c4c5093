"""Many browsers of one dashboard, as a program of their own: `python -m companion.lab.crowd PORT GAME COUNT`.

Each keeps a stream open and fetches every photo that it is told of, as the table's page does. It says `ready` once all
are connected, goes on until its input ends, and then writes as JSON when each event and each photo came to each.
"""

from __future__ import annotations

import asyncio
import html
import json
import re
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field

EVENT_ID = re.compile(rb"^id: (\d+)$")
PICTURE = re.compile(rb'src="(/picture/[^"]+box=[^"]+)"')
MOST_LINE = 2**20
CONNECTING_S = 60.0


@dataclass
class Browser:
    """One open page: what came to it, and when, by the clock that all programs of a machine share."""

    port: int
    address: str
    """Where it says that it is."""
    came_s: dict[int, float] = field(default_factory=dict)
    photos_s: dict[int, float] = field(default_factory=dict)
    """By the number of the event that told of them."""

    async def watch(self, game: str, ready: asyncio.Semaphore) -> None:
        """Follow a game's stream until the task is cancelled."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=MOST_LINE)
        self._ask(writer, f"/game/{game}/stream?after=0")
        await reader.readuntil(b"retry: 2000")
        ready.release()
        wanted: asyncio.Queue[tuple[int, str]] = asyncio.Queue()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._fetch(wanted))
            n = 0
            async for line in reader:
                if found := EVENT_ID.match(line.rstrip(b"\r\n")):
                    n = int(found[1])
                elif n and not line.strip():
                    # An update may have many parts, and has come when its last one has.
                    self.came_s[n], n = time.monotonic(), 0
                elif found := PICTURE.search(line):
                    wanted.put_nowait((n, html.unescape(found[1].decode())))

    async def _fetch(self, wanted: asyncio.Queue[tuple[int, str]]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        while True:
            n, path = await wanted.get()
            self._ask(writer, path)
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"Content-Length: (\d+)", head)
            if not head.startswith(b"HTTP/1.1 200") or length is None:
                raise OSError(f"{path} was not served: {head[:80]!r}")
            await reader.readexactly(int(length[1]))
            self.photos_s[n] = time.monotonic()

    def _ask(self, writer: asyncio.StreamWriter, path: str) -> None:
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Language: en\r\nX-Forwarded-For: {self.address}"
        writer.write(f"{head}\r\n\r\n".encode())


async def main(port: int, game: str, count: int) -> None:
    """Open so many pages, keep them open until there is nothing more to read, tell what came."""
    browsers, ready = [Browser(port, f"10.0.0.{number}") for number in range(count)], asyncio.Semaphore(0)
    watching = [asyncio.create_task(browser.watch(game, ready)) for browser in browsers]
    async with asyncio.timeout(CONNECTING_S):
        for _ in browsers:
            await ready.acquire()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    ending = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    await asyncio.wait([ending, *watching], return_when=asyncio.FIRST_COMPLETED)
    for task in watching:
        if task.done():
            task.result()
        task.cancel()
    for task in watching:
        with suppress(asyncio.CancelledError):
            await task
    told = [{"events": list(b.came_s.items()), "photos": list(b.photos_s.items())} for b in browsers]
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
