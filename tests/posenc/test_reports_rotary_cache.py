"""Faults of rotary caches, parts and decays that people reported, and that the faulty version is found.

Each test states the fault in a sentence, gives the report's place, and runs one check on ours and on it.
"""

import numpy as np
import pytest

from posenc.attention import attention
from posenc.rotary import rope, rotate, table, xpos

ONE_TO_FOUR, ONE_TO_EIGHT = np.arange(1.0, 5.0), np.arange(1.0, 9.0)


def tell_apart(check, ours, *faulty):
    check(ours)
    for each in faulty:
        with pytest.raises(AssertionError):
            check(each)


def vectors(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


def spectrum(d, base=10000.0):
    return base ** (-np.arange(0, d, 2) / d)


def test_a_cache_of_tables_that_forgets_the_offset():
    """Report 12: rotary-embedding-torch#11."""
    known = {}

    def forgetful(x, offset):
        turns = known.setdefault(len(x), table(offset + np.arange(len(x)), x.shape[-1]))
        return rotate(x, turns)

    def check(turn):
        x = vectors(0, 4, 6)
        first, later, again = turn(x, 0), turn(x, 5), turn(x, 0)
        assert not np.allclose(first, later)
        np.testing.assert_array_equal(first, again)
        np.testing.assert_allclose(later, rope(x, np.arange(5, 9)))

    tell_apart(check, lambda x, offset: rope(x, offset + np.arange(len(x))), forgetful)


def decode(q, k, v, at_query, at_key, turn_again=False):
    """Attend token by token, with a cache of turned keys."""
    keys, out = np.empty((0, q.shape[-1])), []
    for t in range(len(q)):
        if turn_again:
            keys = rope(keys, np.arange(t))
        keys = np.concatenate([keys, rope(k[t : t + 1], at_key(t))])
        out.append(attention(rope(q[t : t + 1], at_query(t)), keys, v[: t + 1])[0])
    return np.array(out)


def test_decoding_with_a_cache():
    """Report 13: moeut#6, mlx-vlm#1983, tiny-llm#46, gpt-neox#363: position 0, a jump, keys turned twice."""
    q, k, v = vectors(0, 3, 7, 6)
    full = attention(rope(q, np.arange(7)), rope(k, np.arange(7)), v, causal=True)

    def check(options):
        np.testing.assert_allclose(decode(q, k, v, *options), full, atol=1e-10)

    tell_apart(
        check,
        (int, int),
        (lambda t: 0, lambda t: 0),
        (lambda t: t + 1, int),
        (lambda t: t + (t > 3), lambda t: t),
        (int, int, True),
    )


def stretched(length, original=4, d=8):
    """Return the frequencies of dynamic NTK, twice as long: the base grows past the original length."""
    longer = max(length, original)
    return spectrum(d, 10000.0 * (2 * longer / original - 1) ** (d / (d - 2)))


def test_keys_that_were_turned_by_an_older_base():
    """Report 14: transformers#25104 and #27227, vllm#3488: cached keys keep the base of a shorter text."""
    q, k = vectors(0, 2, 8, 8)

    def turned_anew(length):
        return rope(k[:length], np.arange(length), frequencies=stretched(length))

    def turned_when_new(length):
        return np.array([rope(k[t], t, frequencies=stretched(t + 1)) for t in range(length)])

    def check(keys):
        for length in (8, 4):  # and back again
            one = rope(q[length - 1], length - 1, frequencies=stretched(length))
            want = attention(one[None], turned_anew(length), np.eye(length))
            np.testing.assert_allclose(attention(one[None], keys(length), np.eye(length)), want)
        np.testing.assert_array_equal(keys(4), rope(k[:4], np.arange(4)))

    tell_apart(
        check, turned_anew, turned_when_new, lambda n: rope(k[:n], np.arange(n), frequencies=stretched(8))
    )


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_a_part_of_the_features_turns(layout):
    """Report 43: transformers#48630, mlx-lm#1698, text-generation-inference#1442: the factor is ignored."""

    def check(frequencies):
        got = rope(ONE_TO_EIGHT, 3, frequencies=frequencies, layout=layout)
        np.testing.assert_array_equal(got[4:], ONE_TO_EIGHT[4:])
        np.testing.assert_allclose(got[:4], rope(ONE_TO_FOUR, 3, layout=layout))

    tell_apart(check, spectrum(4), None, spectrum(8)[:2], np.append(spectrum(4), [0, 1]))


def test_xpos_overflows_away_from_its_centre():
    """Report 45: flash-attention#96: scores stay finite far out only because the centre goes along."""
    q, k = vectors(0, 2, 3, 8).astype(np.float32)
    p = np.arange(100_000, 100_003)
    zeta = (np.arange(0, 8, 2) / 8 + 0.4) / 1.4

    def uncentred(q, k, p):
        with np.errstate(over="ignore", under="ignore"):
            scales = (np.repeat(zeta ** (sign * p[:, None] / 512), 2, axis=-1) for sign in (1, -1))
            return tuple(rope(x, p) * c.astype(np.float32) for x, c in zip((q, k), scales, strict=True))

    def check(turn):
        far_q, far_k = turn(q, k, p)
        assert np.isfinite(far_q).all() and np.isfinite(far_k).all()
        near_q, near_k = xpos(q, k, p - 100_000)
        np.testing.assert_allclose(far_q @ far_k.T, near_q @ near_k.T, rtol=1e-4, atol=1e-5)

    tell_apart(check, xpos, uncentred, lambda q, k, p: xpos(q, k, p, p[::-1]))


def test_xpos_with_a_cache_needs_one_centre():
    """Report 45: rotary-embedding-torch#27: keys scaled by one length, queries by another."""
    q, k = vectors(0, 2, 7, 8)
    all_q, all_k = xpos(q, k, np.arange(7))
    full = np.tril(all_q @ all_k.T)

    def check(centre):
        kept = [xpos(q[t], k[t], t, centre=centre(t)) for t in range(7)]
        keys = np.array([key for _, key in kept])
        scores = [keys[: t + 1] @ kept[t][0] for t in range(7)]
        for t, row in enumerate(scores):
            np.testing.assert_allclose(row, full[t, : t + 1], rtol=1e-9)

    tell_apart(check, lambda t: 0, lambda t: None, lambda t: (t + 1) // 2)


def test_a_turn_returns_and_never_writes():
    """Report 46: sglang#19636: the turned key went into the cache, and the live one stayed as it was."""

    def in_place(x, p):
        x[:] = rope(x, p)
        return x

    def into_the_cache_only(x, p):
        rope(x, p)
        return x

    def check(turn):
        k = vectors(0, 4, 6)
        before = k.copy()
        live = turn(k, 3)
        np.testing.assert_array_equal(k, before)
        assert not np.shares_memory(live, k)
        np.testing.assert_allclose(live, rope(before, 3))

    tell_apart(check, rope, in_place, into_the_cache_only)
