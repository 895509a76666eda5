"""Small attacks on each protection, run from inside a caged child. They try; `probe` judges.

An attack is harmless where it succeeds: a signal is 0, a limit is set to what it was, a file is one made for
the purpose.
"""
