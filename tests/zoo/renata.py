# expect: *=PASSED
# about: Right, saved by an editor that dropped all metadata and cell ids.
# like: dilnoza
# notebook: stripped
