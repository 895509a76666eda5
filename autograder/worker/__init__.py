"""The trusted process: holds tests, references and scores, and grades one submission after another.

It starts a zygote a lesson, asks it for student processes, and answers a supervisor over
a socket.
"""
