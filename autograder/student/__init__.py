"""What runs beside student code, in processes that are not trusted.

The zygote loads the libraries once and forks; a fork becomes a student: a shell that runs cells and an
interpreter that answers calls. No test, expected value or score ever comes here.
"""
