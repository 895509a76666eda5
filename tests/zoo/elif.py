# expect: *=UNTOUCHED
# about: The release, handed in as it was given.
