"""Messages over a socket: four bytes of length, then JSON. Bounded in size and in time."""

from __future__ import annotations

import json
import select
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

LIMIT = 64 * 2**20
_HEAD = struct.Struct(">I")
_TICK = 0.1
_CHUNK = 64 * 2**10


class Closed(Exception):
    """The other side is gone."""


class Expired(Exception):
    """The other side did not answer in time."""


class Garbled(Exception):
    """The other side sent something that is not a message."""


class Frames:
    """A stream of JSON objects over a connected socket.

    `watch` is called about ten times a second while a reader waits; what it raises ends the wait.
    """

    def __init__(self, sock: socket.socket, watch: Callable[[], None] | None = None) -> None:
        self._sock = sock
        self._watch = watch
        self._read = bytearray()

    def fileno(self) -> int:
        return self._sock.fileno()

    def close(self) -> None:
        self._sock.close()

    def send(self, message: dict[str, Any], deadline: float | None = None) -> None:
        """Send one message; raise ValueError before anything is sent when it is too large."""
        body = json.dumps(message, separators=(",", ":")).encode("ascii")
        if len(body) > LIMIT:
            raise ValueError(f"a message must be at most {LIMIT} bytes, got {len(body)}")
        view = memoryview(_HEAD.pack(len(body)) + body)
        while view:
            self._wait(deadline, writing=True)
            try:
                view = view[self._sock.send(view, socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                continue
            except OSError:
                raise Closed from None

    def receive(self, deadline: float | None = None) -> dict[str, Any]:
        """Return the next message; `deadline` is in seconds of `time.monotonic`."""
        (length,) = _HEAD.unpack(self._exactly(_HEAD.size, deadline))
        if length > LIMIT:
            raise Garbled(f"a message of {length} bytes")
        body = self._exactly(length, deadline)
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise Garbled(f"not JSON: {type(error).__name__}") from None
        if not isinstance(message, dict):
            raise Garbled("not a JSON object")
        return message

    def _exactly(self, length: int, deadline: float | None) -> bytes:
        while len(self._read) < length:
            self._wait(deadline, writing=False)
            missing = length - len(self._read)
            try:
                part = self._sock.recv(missing if missing > _CHUNK else _CHUNK, socket.MSG_DONTWAIT)
            except BlockingIOError:
                continue
            except OSError:
                raise Closed from None
            if not part:
                raise Closed
            self._read += part
        data = bytes(self._read[:length])
        del self._read[:length]
        return data

    def _wait(self, deadline: float | None, *, writing: bool) -> None:
        event = select.POLLOUT if writing else select.POLLIN
        poller = select.poll()
        poller.register(self._sock, event)
        if deadline is None and self._watch is None:
            poller.poll()
            return
        while True:
            left = _TICK if deadline is None else min(_TICK, deadline - time.monotonic())
            if left <= 0:
                raise Expired
            if poller.poll(left * 1000):
                return
            if self._watch is not None:
                self._watch()
