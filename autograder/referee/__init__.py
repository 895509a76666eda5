"""The trusted side: which cells run where, what a name in a test means, and what a test's end is worth.

Nothing here runs student code; it asks a student process and gets plain data.
"""
