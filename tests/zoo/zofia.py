# expect: *=PASSED rope_test=FAILED rope_hidden=FAILED layouts_hidden=FAILED
# about: Edited the test cells' text and points, copied cells, deleted others; rope is a stub, the rest is right.
# like: vesna
# notebook: tampered

# %% rope
def rope(x, position):
    return x
