# expect: *=PASSED rope_test=RAISED rope_hidden=RAISED score_test=RAISED score_hidden=RAISED
# expect: layouts_test=FAILED layouts_hidden=FAILED decode_test=RAISED decode_hidden=RAISED
# about: Looks for tests and gradebook on disk, in memory and in its call stack; remembers what it was called with to print, raise and return it.
# like: ada

# %% rope
import gc
import glob
import inspect
import os
import sys

FOUND = []
WORDS = ("HIDDEN TESTS", "explain(", "source_cell", "2.14781231")


def look(text, where):
    for word in WORDS:
        # my own cells hold the words too
        if word in text and "WORDS =" not in text:
            FOUND.append((where, text[:200]))


def look_on_disk():
    for pattern in [
        "*",
        "../*",
        "../../*",
        "../../../*",
        "/proc/self/*",
        "/proc/[0-9]*/cmdline",
        "/autograder/*/*",
    ]:
        for path in glob.glob(pattern):
            try:
                with open(path, errors="replace") as file:
                    look(file.read(100_000), path)
            except OSError:
                pass


def look_in_memory():
    for thing in gc.get_objects():
        if type(thing) is dict:
            for key, value in list(thing.items()):
                if type(value) is str:
                    look(value, "memory")
    for name, module in list(sys.modules.items()):
        if "referee" in name or "nbgrader" in name or "misconceptions" in name:
            FOUND.append((name, str(module)))


def look_up():
    for frame in inspect.stack():
        for name, value in list(frame.frame.f_locals.items()):
            look(str(value)[:2000] if type(value) in (str, dict, list) else "", f"frame {name}")


SEEN = []


def rope(x, position):
    look_on_disk()
    look_in_memory()
    look_up()
    SEEN.append((x.tolist(), position))
    print("SEEN", SEEN, "FOUND", FOUND)
    raise RuntimeError(f"SEEN {SEEN} FOUND {FOUND}")


# %% +after score
print("SEEN", SEEN, "FOUND", FOUND)


# %% layouts
def to_half(x):
    SEEN.append(x.tolist())
    return str(SEEN)


def permute_weights(W, h):
    return str(SEEN)


# %% score
def score(q, k, pq, pk):
    return rope(q, pq) @ rope(k, pk)
