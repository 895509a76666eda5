# expect: *=PASSED
# about: Right, and noisy: warnings on standard error, prints, a display, a magic, top-level await.
# like: ada

# %% +after imports
import asyncio
import sys
import warnings

get_ipython().run_line_magic("matplotlib", "inline")
await asyncio.sleep(0)
print("ready", file=sys.stderr)


# %% rope
def rope(x, position):
    warnings.warn("angles grow with the position", stacklevel=2)
    print("rope at", position)
    d = x.shape[-1]
    theta = 10000.0 ** (-np.arange(0, d, 2) / d)
    even, odd = x[..., 0::2], x[..., 1::2]
    cos, sin = np.cos(position * theta), np.sin(position * theta)
    out = np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)
    return out.reshape(x.shape)


# %% +after rope
display(rope(np.ones(4), 1))
plt.plot(rope(np.ones(4), 1))
