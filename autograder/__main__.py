"""``python -m autograder``: the command line, without the working folder on the path of imports."""

from __future__ import annotations

import os
import sys

# Python puts the working folder there. It may be a student's, with a numpy.py in it.
if not sys.flags.safe_path and sys.path and sys.path[0] in ("", os.getcwd()):
    del sys.path[0]

from autograder.cli import main

main(prog_name="autograder")
