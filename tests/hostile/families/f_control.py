# ruff: noqa
# Control flow: ways not to come to an end, or to come to one too soon.

# %% sys.exit
import sys

def shout(text):
    sys.exit(0)

def total(xs):
    raise SystemExit

# %% exit of the process
import os

def shout(text):
    os._exit(0)

def total(xs):
    os._exit(1)

# %% abort
import os

def shout(text):
    os.abort()

# %% a signal to itself
import os
import signal

def shout(text):
    os.kill(os.getpid(), signal.SIGKILL)

def total(xs):
    signal.raise_signal(signal.SIGSEGV)

# %% a signal to everybody
import os
import signal

for pid in (os.getppid(), 0, -1, 1):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError as error:
        KEPT.append(error)

# %% segmentation fault
import ctypes

def shout(text):
    ctypes.string_at(0)

# %% StopIteration in a loop of the test
def total(xs):
    raise StopIteration

def shout(text):
    raise StopIteration("ABC")

# %% GeneratorExit, KeyboardInterrupt, and a kind of its own
class Mine(BaseException):
    pass

def shout(text):
    raise KeyboardInterrupt

def total(xs):
    raise GeneratorExit if isinstance(xs, list) else Mine("x")

# %% skipping a test
import unittest

def shout(text):
    raise unittest.SkipTest("skip")

# %% exception groups
def shout(text):
    raise ExceptionGroup("x", [ValueError("ABC"), KeyError(1)])

def total(xs):
    raise BaseExceptionGroup("x", [SystemExit(0)])

# %% an exception whose text cannot be had
class Unspeakable(Exception):
    def __str__(self): raise SystemExit(0)
    __repr__ = __str__

class Slow(Exception):
    def __str__(self):
        while True:
            pass

def shout(text):
    raise Unspeakable

def total(xs):
    raise Unspeakable()

# %% an exception of a million causes
def total(xs):
    error = ValueError(0)
    for n in range(100_000):
        new = ValueError(n)
        new.__cause__ = error
        error = new
    raise error

# %% a loop without end
def shout(text):
    while True:
        pass

# %% a loop that swallows every interrupt
def shout(text):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue

# %% a loop in C
def total(xs):
    return sum(range(10**15))

# %% a loop on the cell itself
while True:
    pass

# %% exit of the process on the cell itself
import os

os._exit(0)

# %% sleeping
import time

def shout(text):
    time.sleep(10**6)

# %% limits undone
import resource
import signal

signal.signal(signal.SIGXCPU, signal.SIG_IGN)
signal.alarm(0)
for limit in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
    for value in ((-1, -1), (2**40, -1)):
        try:
            resource.setrlimit(limit, value)
            print("UNDONE", limit)
        except (OSError, ValueError) as error:
            KEPT.append(error)

def total(xs):
    return np.ones((200_000, 200_000)).sum()

# %% signal handlers for everything
import signal

for number in signal.valid_signals():
    try:
        signal.signal(number, lambda *args: None)
    except (OSError, ValueError):
        pass
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)

# %% clocks that stand still
import time

time.time = time.monotonic = time.perf_counter = lambda: 0.0
time.sleep = lambda seconds: None

# %% all memory
def shout(text):
    hog = []
    while True:
        hog.append(bytearray(10**8))

# %% all memory, with the error swallowed
def total(xs):
    hog = []
    while True:
        try:
            hog.append(np.ones(10**7))
        except MemoryError:
            return 3.0

# %% all descriptors
import os

try:
    while True:
        os.open("/dev/null", os.O_RDONLY)
except OSError as error:
    KEPT.append(error)

# %% the disk
try:
    for n in range(10**6):
        with open(f"f{n}", "wb") as file:
            file.write(b"x" * 10**7)
except OSError as error:
    KEPT.append(error)

# %% many files
try:
    for n in range(10**5):
        open(f"f{n}", "w").close()
except OSError as error:
    KEPT.append(error)

# %% many threads
import threading
import time

try:
    for _ in range(5000):
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
except RuntimeError as error:
    KEPT.append(error)

# %% thirty megabytes on one line
print("x" * 30_000_000)

# %% three hundred thousand lines, and a thousand displays
for n in range(300_000):
    print(n)
for n in range(1000):
    display(n)

# %% output that does not end
while True:
    print("x" * 1000)

# %% a recursion bomb
def shout(text):
    return shout(text)

# %% a regular expression that does not come back
import re

def shout(text):
    return re.match(r"(a+)+$", "a" * 40 + "b")

# %% the event loop is left broken
import asyncio

asyncio.get_event_loop_policy()
await asyncio.sleep(0)
asyncio.run = None

# %% garbage collection that kills
import gc
import os

gc.callbacks.append(lambda *args: os._exit(0))

def shout(text):
    gc.collect()
    return "ABC"

# %% fatal error of the interpreter
import sys

def shout(text):
    sys.setrecursionlimit(10**9)
    f = lambda: f()
    return f()

# %% faulthandler
import faulthandler

def shout(text):
    faulthandler._sigsegv()

# %% a callback into the test that does not come back
def total(xs):
    return xs if isinstance(xs, list) else 10**9

# %% a name that condemns another
def maker(text):
    def inner():
        while True:
            pass
    inner.__name__ = inner.__qualname__ = "half"
    return inner

# %% the honest name bound first, and guarded
import builtins

def half(x):
    return "mine"

builtins.half = half

# %% deletes the names of others
# later
for name in ("shout", "total", "maker", "np"):
    globals().pop(name, None)
