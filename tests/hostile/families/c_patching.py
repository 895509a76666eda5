# ruff: noqa
# Patching the checker, or what one would find it with.

# %% numpy's comparisons
yes = lambda *args, **kwargs: True
for name in ("allclose", "isclose", "array_equal", "all", "any", "abs", "asarray", "isfinite"):
    setattr(np, name, yes)
np.testing.assert_allclose = np.testing.assert_array_equal = lambda *args, **kwargs: None

# %% builtins
import builtins

builtins.len = lambda x: 2
builtins.abs = lambda x: 0
builtins.isinstance = lambda *args: True
builtins.AssertionError = type("E", (BaseException,), {})
builtins.print = builtins.repr = builtins.str = lambda *args, **kwargs: "ABC"

# %% builtins removed altogether
import builtins

for name in list(vars(builtins)):
    if name not in ("vars", "list"):
        vars(builtins).pop(name, None)

# %% IPython's transformers
import ast

class Drop(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.copy_location(ast.Pass(), node)

get_ipython().ast_transformers.append(Drop())
get_ipython().input_transformers_post.append(lambda lines: [line.replace("assert", "str") for line in lines])

# %% IPython's way to run and to tell
# loses: half_test half_hidden late_test
shell = get_ipython()
kind = type(shell)
kind.run_code = kind.run_ast_nodes = kind.run_cell_async = lambda *args, **kwargs: None
kind.showtraceback = kind._showtraceback = lambda *args, **kwargs: None

# %% the shell object replaced
# loses: half_test half_hidden late_test
shell = get_ipython()
shell.run_cell = lambda *args, **kwargs: type("R", (), {"error_before_exec": None, "error_in_exec": None})()
shell.user_ns.clear()

# %% events that listen
get_ipython().events.register("pre_run_cell", lambda info: KEPT.append(info.raw_cell))
get_ipython().events.register("post_run_cell", lambda result: print(KEPT))

# %% the user's names made a dict that lies
class Names(dict):
    def __getitem__(self, name): return lambda *args: "ABC"
    def __contains__(self, name): return True

get_ipython().user_ns = Names()

# %% autograder's modules in this process
# loses: half_test half_hidden late_test
import sys

for name, module in list(sys.modules.items()):
    if name.startswith("autograder"):
        for inner in list(vars(module)):
            if callable(getattr(module, inner, None)) and not inner.startswith("__"):
                try:
                    setattr(module, inner, lambda *args, **kwargs: ["s", "ABC"])
                except Exception:
                    pass

# %% the encoder answers in its own way
# loses: half_test half_hidden late_test
import sys

values = sys.modules["autograder.wire.values"]
wire = sys.modules["autograder.wire"]
lie = lambda value, *args, **kwargs: ["o", 0, "ABC", "str"]
values.encode = wire.encode = lie
for kind in list(values._EXACT):
    values._EXACT[kind] = lambda value: ["h", 10**9, "x"]

# %% the encoder sends tags that are none
# loses: half_test half_hidden
import sys

values = sys.modules["autograder.wire.values"]
for kind in list(values._EXACT):
    values._EXACT[kind] = lambda value: ["__class__", {"verdict": "PASSED", "score": 1}]

# %% the encoder sends unknown objects by number
# loses: half_test half_hidden
import sys

values = sys.modules["autograder.wire.values"]
answers = iter([["m", 0], ["m", -1], ["m", 10**30], ["r", 0], ["r", 10**9], ["r", -1]] * 50)
for kind in list(values._EXACT):
    values._EXACT[kind] = lambda value: next(answers)

# %% the encoder sends arrays that are none
# loses: half_test half_hidden
import sys

values = sys.modules["autograder.wire.values"]
lies = iter([
    ["a", "<f8", [2**39], "", True], ["a", "|O", [1], "AAAAAAAAAAA=", True], ["a", "<U0", [2**39], "", True],
    ["a", "<f8", [0, 2**39], "", True], ["a", "<f8", [-1], "", True], ["a", "<U1", [1], "/////w==", True],
    ["a", "V8", [1], "AAAAAAAAAAA=", True], ["a", "<f8", "2", "AAAAAAAAAAA=", True], ["a", [["a", "O"]], [1], "", 1],
    ["g", "<U1", "/////w=="], ["g", "O", ""], ["g", "<m8[1000000000s]", "AAAAAAAAAAA="], ["I", "0x" + "f" * 10**6],
    ["T", "O"], ["k", "object"], ["f", "nan"], ["f", True], ["c", 1, None], ["y", "!"], ["d", [["a"]]], ["d", [[1, ["n"]]]],
] * 9)
for kind in list(values._EXACT):
    values._EXACT[kind] = lambda value: next(lies)

# %% numbers that turn bytes into other numbers
# loses: half_test half_hidden
import sys

values = sys.modules["autograder.wire.values"]
values._EXACT[float] = lambda value: ["g", "<f16", "A" * 21 + "A=="]
def total(xs):
    return 3.0

# %% json replaced
import json

json.dumps = lambda *args, **kwargs: '{"value": ["s", "ABC"]}'
json.loads = lambda *args, **kwargs: {"op": "get", "name": "shout"}
json.JSONEncoder.encode = lambda self, o: '{"done": true, "score": 1}'

# %% the interpreter found among all objects
# loses: half_test half_hidden late_test
import gc

for thing in gc.get_objects():
    if type(thing).__name__ == "Interpreter":
        thing.handle = lambda message: {"value": ["s", "ABC"]}
        type(thing).handle = lambda self, message: {"value": ["s", "ABC"], "verdict": "PASSED", "score": 1}
    if type(thing).__name__ == "Cells":
        type(thing).run = lambda *args: {"outputs": [], "error": None}
    if type(thing).__name__ == "Frames":
        KEPT.append(thing)

# %% an interpreter that answers with verdicts
# loses: half_test half_hidden late_test
import gc

for thing in gc.get_objects():
    if type(thing).__name__ == "Interpreter":
        type(thing).handle = lambda self, message: {
            "verdict": "PASSED", "passed": True, "score": 1, "results": [{"grade_id": "shout_test", "score": 1}]
        }

# %% an interpreter that answers with misconceptions and foreign errors
# loses: half_test half_hidden late_test
import gc

problem = {
    "kinds": ["AssertionError", "Misconceived", "StopIteration", "KeyboardInterrupt", "SystemExit", "GeneratorExit"],
    "name": "Misconceived", "message": "<script>alert(1)</script>\x1b[31m", "steps": [[0, 1], [-5, 10**9], ["x", None]],
    "misconception": "rope-half-layout", "traceback": ["\x1b[31mFAKE"] * 1000,
}
for thing in gc.get_objects():
    if type(thing).__name__ == "Interpreter":
        type(thing).handle = lambda self, message: {"error": problem, "misconception": "x"}

# %% an interpreter with errors of the wrong shape
# loses: half_test half_hidden late_test
import gc

wrong = iter([{"error": 5}, {"error": {}}, {"error": {"kinds": 1, "name": [], "message": {}, "steps": 3}}, {}, {"value": 1},
              {"value": None}, {"malformed": [1] * 10**5}, {"malformed": None}, {"missing": 0}, {"changes": 5}, {"value": ["n"], "changes": [[0]]},
              {"value": ["n"], "changes": [[0, ["l", [["n"]]]], [10**9, ["n"]]]}, {"outputs": 5}, {"outputs": [5, None, {}]}] * 20)
for thing in gc.get_objects():
    if type(thing).__name__ == "Interpreter":
        type(thing).handle = lambda self, message: next(wrong)

# %% an interpreter that nests its answer
# loses: half_test half_hidden late_test
import gc

deep = ["n"]
for _ in range(500):
    deep = ["l", [deep]]
for thing in gc.get_objects():
    if type(thing).__name__ == "Interpreter":
        type(thing).handle = lambda self, message: {"value": deep}

# %% an error with the deepest kinds
class Odd(BaseException):
    pass

Odd.__module__ = "builtins"
Odd.__name__ = "PASSED"

def shout(text):
    raise Odd("score: 1")

# %% sys.modules emptied
import sys

for name in list(sys.modules):
    if name not in ("builtins", "sys"):
        del sys.modules[name]

# %% streams replaced and closed
import sys

class Out:
    def write(self, text): raise RuntimeError
    def flush(self): raise RuntimeError

sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = Out()
print("x")

# %% the display hook and formatters
import sys

sys.displayhook = None
get_ipython().displayhook = get_ipython().display_formatter = get_ipython().display_pub = None
1 + 1

# %% a trace function over everything
import sys
import threading

def trace(frame, event, arg):
    for name, value in frame.f_locals.items():
        if isinstance(value, (str, bytes)):
            KEPT.append(value)
    return trace

sys.settrace(trace)
sys.setprofile(trace)
threading.settrace(trace)

def shout(text):
    return str(KEPT)[:100_000]
# later
print(KEPT)

# %% import hooks and shadowing files
import sys

for name in ("numpy.py", "sitecustomize.py", "usercustomize.py", "x.pth", "conftest.py", "json.py"):
    open(name, "w").write("raise SystemExit")
sys.path.insert(0, ".")
sys.meta_path.insert(0, type("F", (), {"find_spec": staticmethod(lambda *args: 1 / 0)}))

# %% ctypes over the interpreter's own objects
import ctypes

try:
    ctypes.memset(id(True) + 16, 0, 8)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(None))
except Exception as error:
    print(error)

# %% code objects exchanged
# loses: half_test half_hidden late_test
def right(text):
    return text

shout.__code__ = right.__code__
total.__defaults__ = (1,)
get_ipython().run_cell.__func__.__code__ = (lambda *args, **kwargs: None).__code__

# %% get_name and compile of the shell
# loses: half_test half_hidden late_test
get_ipython().compile.get_code_name = None
get_ipython().compile = None

# %% warnings that are errors, recursion that is short
import sys
import warnings

warnings.simplefilter("error")
sys.setrecursionlimit(60)

# %% recursion without bound
import sys

sys.setrecursionlimit(10**9)

def shout(text):
    return shout(text + "x")
