"""Attacks over sockets: to this machine, which stands for every other one."""

from __future__ import annotations

import array
import os
import socket
from typing import Final

from autograder.sandbox.attacks.scene import BOTH, CAPABILITIES, SECCOMP, NotApplicable, Protection, Scene


def _connect(scene: Scene) -> str:
    with socket.create_connection(("127.0.0.1", scene.tcp), timeout=1):
        return "connected"


def _listen(_: Scene) -> str:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        made.listen()
        return "listened"


def _send_udp(scene: Scene) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.sendto(b"secret", ("127.0.0.1", scene.udp))
    return "sent a datagram"


def _connect_unix(scene: Scene) -> str:
    with socket.socket(socket.AF_UNIX) as made:
        made.connect(str(scene.outside / "stream"))
    return "connected"


def _connect_abstract(scene: Scene) -> str:
    with socket.socket(socket.AF_UNIX) as made:
        made.connect(scene.abstract)
    return "connected"


def _send_through_pair(scene: Scene) -> str:
    own, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    own.sendto(b"secret", str(scene.outside / "datagram"))
    return "sent a datagram"


def _pass_descriptor(_: Scene) -> str:
    own, other = socket.socketpair()
    with own, other:
        rights = array.array("i", [other.fileno()])
        own.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    return "passed a descriptor"


def _netlink(_: Scene) -> str:
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close()
    return "made a socket to the kernel"


def _raw(_: Scene) -> str:
    if os.geteuid() != 0:
        raise NotApplicable("only root makes raw sockets")
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()
    return "made a raw socket"


CALLS: Final = ()
PROTECTIONS: Final = (
    Protection("connect by TCP", _connect, BOTH),
    Protection("listen by TCP", _listen, BOTH),
    Protection("send by UDP", _send_udp, SECCOMP),
    Protection("connect to a socket in a folder", _connect_unix, BOTH),
    Protection("connect to an abstract socket", _connect_abstract, BOTH),
    Protection("send through a pair to elsewhere", _send_through_pair, BOTH),
    Protection("pass a descriptor", _pass_descriptor, SECCOMP),
    Protection("talk to the kernel by netlink", _netlink, SECCOMP),
    Protection("make a raw socket", _raw, SECCOMP | CAPABILITIES),
)
