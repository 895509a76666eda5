# expect: *=PASSED decode_test=MEMORY decode_hidden=MEMORY
# about: Asks for 80 GB in one exercise, the others right.
# like: bao

# %% decode
def decode(Q, K, V):
    cache = np.ones((100_000, 100_000))
    cache[: len(K)] = K
    return cache
