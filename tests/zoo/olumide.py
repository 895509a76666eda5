# expect: *=PASSED rotate_test=TIMEOUT rotate_hidden=TIMEOUT
# about: An infinite loop in one exercise, the others right.
# like: bao

# %% rotate
def rotate(X, positions):
    turned = 0
    while turned < len(positions):
        X = np.roll(X, 0)
    return X
