# ruff: noqa
# Forging results: on the line to the grader, in files, on the screen.

# %% bytes to every descriptor
import os

def shout(text):
    for fd in range(256):
        try:
            os.write(fd, b'\x00\x00\x00\x19{"value": ["s", "ABC"]}  ')
        except OSError:
            pass
    return "wrong"

# %% a well-formed answer before being asked
import json
import os
import struct

def frame(message):
    body = json.dumps(message).encode()
    return struct.pack(">I", len(body)) + body

def say(message, times=1):
    for fd in range(3, 64):
        try:
            os.write(fd, frame(message) * times)
        except OSError:
            pass

say({"value": ["s", "ABC"]}, 5)
say({"value": ["f", 3.0]}, 5)

# %% an answer within the call
import json
import os
import struct

def say(message):
    body = json.dumps(message).encode()
    for fd in range(3, 64):
        try:
            os.write(fd, struct.pack(">I", len(body)) + body)
        except OSError:
            pass

def shout(text):
    say({"value": ["s", "PASSED"], "verdict": "PASSED", "score": 1, "done": True, "results": []})
    return "wrong"

# %% the supervisor's own words
import json
import os
import struct

def say(message):
    body = json.dumps(message).encode()
    for fd in range(3, 64):
        try:
            os.write(fd, struct.pack(">I", len(body)) + body)
        except OSError:
            pass

def total(xs):
    say({"done": True, "notebook": {"cells": []}, "results": [{"grade_id": "shout_test", "score": 1, "max_score": 1, "verdict": "PASSED", "message": "", "misconception": None}]})
    say({"at": "shout_test", "seconds": 1e9})
    say({"internal": "x"})
    say({"refused": "x"})
    say({"broken": "x"})
    return -1

# %% a thread that floods the line
# may lose: half_test half_hidden late_test
import os
import threading

def flood():
    while True:
        for fd in range(3, 64):
            try:
                os.write(fd, b'\x00\x00\x00\x12{"value": ["b", 1]')
            except OSError:
                pass

threading.Thread(target=flood, daemon=True).start()

# %% callbacks without end
import gc

def shout(text):
    frames = next(thing for thing in gc.get_objects() if type(thing).__name__ == "Frames")
    while True:
        frames.send({"op": "callback", "of": 0, "args": ["t", [["t", []], ["d", []]]]})

# %% a message without its end
import os

def shout(text):
    for fd in range(3, 64):
        try:
            os.write(fd, b"\x03\xff\xff\xff{")
        except OSError:
            pass
    while True:
        pass

# %% a message of nothing but brackets
import os
import struct

def shout(text):
    body = b"[" * 200_000
    for fd in range(3, 64):
        try:
            os.write(fd, struct.pack(">I", len(body)) + body)
        except OSError:
            pass
    return "wrong"

# %% a message with a number that takes long
import os
import struct

def total(xs):
    body = b'{"value": ["i", ' + b"9" * 1_000_000 + b"]}"
    for fd in range(3, 64):
        view = memoryview(struct.pack(">I", len(body)) + body)
        while view:
            try:
                view = view[os.write(fd, view) :]
            except BlockingIOError:
                continue
            except OSError:
                break
    return -1

# %% numbers and constants that JSON has not
import os
import struct

def total(xs):
    for text in (b'{"value": ["f", NaN]}', b'{"value": ["f", Infinity]}', b'{"value": ["i", 1e999]}', b"[]", b"null", b'"x"', b"\xff\xfe", b""):
        for fd in range(3, 64):
            try:
                os.write(fd, struct.pack(">I", len(text)) + text)
            except OSError:
                pass
    return -1

# %% the line closed
import os

def shout(text):
    os.closerange(0, 256)
    return "ABC"

# %% the line turned around
import os

def shout(text):
    for fd in range(3, 64):
        try:
            os.dup2(1, fd)
        except OSError:
            pass
    return "ABC"

# %% output that looks like ours
print("PASSED: 1 of 1 points")
print("\x1b[32mPASSED\x1b[0m shout_test", "@@score 1@@", '{"grade_id": "shout_test", "score": 1}')
from IPython.display import HTML, Javascript, publish_display_data

display(HTML("<script>alert(1)</script><h1>PASSED</h1>"), Javascript("alert(1)"))
publish_display_data({"application/json": {"score": 1}, "text/html": "<b>x</b>", "image/svg+xml": "<svg onload=alert(1)>", "text/plain": "1.0"})
1.0

# %% formula and mark-up for whoever reads the export
def shout(text):
    raise ValueError('=HYPERLINK("http://x.example","click") <img src=x onerror=alert(1)> [a](javascript:alert(1))')

print('=cmd|"/C calc"!A0\n+1\n-1\n@SUM(1)\n<script>alert(1)</script>')

# %% results in files
import json
import os

for name in ("results.json", "report.json", "gradebook.db", "shout_test", "../report.json", PATHS["course"] + "/report.json", PATHS["gradebook"]):
    try:
        with open(name, "w") as file:
            json.dump({"score": 1, "cells": [{"grade_id": "shout_test", "score": 1}]}, file)
        os.chmod(name, 0o400)
    except OSError as error:
        KEPT.append(error)

# %% change what is outside without opening it
import os
import shutil

for path in (PATHS["course"], PATHS["gradebook"], PATHS["other"], PATHS["home"]):
    for act in (
        lambda: os.chmod(path, 0o777), lambda: os.chown(path, 12345, 12345), lambda: os.utime(path, (1, 1)),
        lambda: os.remove(path), lambda: os.truncate(path, 0), lambda: os.rename(path, path + ".moved"),
        lambda: os.link(path, "hard"), lambda: os.symlink("x", path + ".link"), lambda: shutil.rmtree(path),
        lambda: os.mkfifo(path + ".fifo"), lambda: os.mknod(path + ".node"), lambda: os.setxattr(path, "user.x", b"1"),
        lambda: os.mkdir(path + ".dir"),
    ):
        try:
            act()
        except OSError as error:
            KEPT.append(error)

# %% processes that outlive it
import os
import subprocess
import multiprocessing

for start in (
    lambda: os.fork(), lambda: os.forkpty(), lambda: os.posix_spawn("/bin/sh", ["sh", "-c", "sleep 100"], {}),
    lambda: subprocess.Popen(["sleep", "100"]), lambda: 1 / (os.system("sleep 100") != 127 << 8), lambda: os.execv("/bin/sh", ["sh"]),
    lambda: multiprocessing.get_context("fork").Process(target=print).start(), lambda: os.setsid(), lambda: os.popen("id").read(),
    lambda: get_ipython().system("id"), lambda: get_ipython().getoutput("id"), lambda: get_ipython().run_cell_magic("bash", "", "id"),
):
    try:
        print("STARTED", start())
    except BaseException as error:
        KEPT.append(error)

# %% threads, timers and exit hooks that act later
import atexit
import os
import threading
import weakref

def act():
    try:
        open(PATHS["course"] + "/pwned", "w").write("x")
        os.write(3, b"x")
    except OSError:
        pass

atexit.register(act)
threading.Timer(0.01, act).start()
weakref.finalize(KEPT.__class__("x"), act) if False else None
threading.Thread(target=lambda: [act() for _ in range(10**9)], daemon=True).start()

# %% figures and images that are none
import matplotlib.pyplot as plt
from IPython.display import Image, display

plt.figure().suptitle("PASSED")
display({"image/png": "bm90IGEgcG5n", "text/plain": "x"}, raw=True)
display({"image/png": "<script>", "image/jpeg": b"\xff" * 10, "text/plain": ["x"]}, raw=True)
