"""The nbgrader boundary: the only room that imports nbgrader, nbconvert or jupytext.

It finds a course, builds and releases its lessons, records grades and writes feedback pages. It never
runs what a student wrote: that is the work of `autograder.supervise`. Each verb is a module of its own,
imported by whoever needs it, since nbgrader takes a second to load.
"""
