"""Relative positions: Shaw's clipped distances and T5's buckets, the goldens and the mix-ups reported."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.relative import shaw_index, t5_bucket

FAR = [-200, -128, -127, -64, -20, -16, -15, -12, -9, -8, -7, -3, -1, 0]
FAR += [1, 3, 7, 8, 9, 12, 15, 16, 20, 64, 127, 128, 200]


# tensor2tensor, _generate_relative_positions_matrix.
def test_shaw_goldens():
    want = [[2, 3, 4, 4, 4], [1, 2, 3, 4, 4], [0, 1, 2, 3, 4], [0, 0, 1, 2, 3], [0, 0, 0, 1, 2]]
    np.testing.assert_array_equal(shaw_index(5, 5, 2), want, strict=True)
    np.testing.assert_array_equal(shaw_index(2, 5, 2), want[-2:])


# transformers, modeling_t5.py, _relative_position_bucket, after mesh-tensorflow.
@pytest.mark.parametrize(
    ("r", "options", "want"),
    [
        (
            FAR,
            {"bidirectional": True},
            [
                15,
                15,
                15,
                14,
                10,
                10,
                9,
                9,
                8,
                8,
                7,
                3,
                1,
                0,
                17,
                19,
                23,
                24,
                24,
                25,
                25,
                26,
                26,
                30,
                31,
                31,
                31,
            ],
        ),
        (FAR, {"bidirectional": False}, [31, 31, 31, 26, 17, 16, 15, 12, 9, 8, 7, 3, 1, *[0] * 14]),
        (
            np.arange(0, -41, -1),
            {"bidirectional": False},
            [*range(16), 16, 16, 16, 17, 17, 18, 18, 18, 19, 19, 19, *[20] * 4, *[21] * 4, *[22] * 5, 23],
        ),
        (
            np.arange(-20, 21),
            {"bidirectional": True, "n_buckets": 8, "max_distance": 16},
            [*[3] * 15, 2, 2, 2, 2, 1, 0, 5, 6, 6, 6, 6, *[7] * 15],
        ),
        (
            np.arange(0, -21, -1),
            {"bidirectional": False, "n_buckets": 8, "max_distance": 16},
            [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, *[7] * 9],
        ),
    ],
)
def test_t5_goldens(r, options, want):
    np.testing.assert_array_equal(t5_bucket(r, **options), np.array(want), strict=True)


@pytest.mark.parametrize(("k", "want"), [(0, [[0, 0]]), (1, [[0, 1]])])
def test_shaw_table_has_2_k_plus_1_rows(k, want):
    assert shaw_index(0, 2, k).shape == (0, 2)
    np.testing.assert_array_equal(shaw_index(1, 2, k), want)
    assert shaw_index(9, 9, k).max() == 2 * k


@given(st.integers(1, 12), st.integers(0, 12), st.integers(0, 5))
def test_shaw_index_depends_on_the_distance_alone(n, more, k):
    full = shaw_index(n + more, n + more, k)
    assert full.min() >= 0
    assert full.max() <= 2 * k
    np.testing.assert_array_equal(full[1:, 1:], full[:-1, :-1])
    np.testing.assert_array_equal(full + full.T, 2 * k)
    np.testing.assert_array_equal(full[:n, :n], shaw_index(n, n, k))
    np.testing.assert_array_equal(full[-n:], shaw_index(n, n + more, k))


buckets = st.booleans().flatmap(
    lambda both: st.fixed_dictionaries(
        {
            "bidirectional": st.just(both),
            "n_buckets": st.integers(2, 40).map(lambda m: 2 * m if both else m),
            "max_distance": st.integers(41, 1000),
        }
    )
)


@given(buckets, st.integers(1, 500))
def test_t5_buckets_are_in_range_and_grow_with_the_distance(options, n):
    past, future = t5_bucket(np.arange(0, -n, -1), **options), t5_bucket(np.arange(n), **options)
    m = options["n_buckets"] // 2 if options["bidirectional"] else options["n_buckets"]
    assert past[0] == future[0] == 0
    assert (np.diff(past) >= 0).all()
    assert past.max() <= m - 1
    near = min(n, m // 2)
    np.testing.assert_array_equal(past[:near], np.arange(near))
    np.testing.assert_array_equal(future[1:], past[1:] + m if options["bidirectional"] else 0 * past[1:])
    longest = -options["max_distance"]
    assert t5_bucket([longest, 10 * longest], **options).tolist() == [m - 1, m - 1]
    assert t5_bucket(longest + 1, **options) >= m - 2 or m < 4


@given(buckets, st.integers(1, 300))
def test_t5_edges_lie_where_the_formula_puts_them(options, n):
    m = options["n_buckets"] // 2 if options["bidirectional"] else options["n_buckets"]
    exact, longest = m // 2, options["max_distance"]
    bucket = int(t5_bucket(-n, **options))
    if exact <= n < longest:
        steps = m - exact
        at = np.log(n / exact) / np.log(longest / exact) * steps
        assert bucket - exact - 1e-9 <= at < bucket - exact + 1 + 1e-9


@pytest.mark.parametrize("bidirectional", [True, False])
def test_t5_released_code_in_single_precision_agrees(bidirectional):
    n = np.arange(1, 5000)
    m = 16 if bidirectional else 32
    part = np.log(n.astype(np.float32) / (m // 2)) / np.float32(np.log(128 / (m // 2)))
    far = m // 2 + (part * (m // 2)).astype(int)
    want = np.where(n < m // 2, n, np.minimum(far, m - 1))
    np.testing.assert_array_equal(t5_bucket(-n, bidirectional=bidirectional), want)


def test_t5_takes_any_shape_and_unsigned_integers():
    assert t5_bucket(-3, bidirectional=True).shape == ()
    assert t5_bucket(np.zeros((2, 0, 3), int), bidirectional=True).shape == (2, 0, 3)
    np.testing.assert_array_equal(t5_bucket(np.array([3], np.uint8), bidirectional=False), [0])
    np.testing.assert_array_equal(t5_bucket(np.array([-128], np.int8), bidirectional=False), [31])


def faulty_t5(r, *, bidirectional, n_buckets=32, max_distance=128, **fault):
    """T5's formula with one fault: in double precision unless the fault is another."""
    r = np.asarray(r) * fault.get("sign", 1)
    half = bidirectional and fault.get("halved", True)
    m = n_buckets // 2 if half else n_buckets
    n = np.abs(r) if bidirectional or fault.get("symmetric") else np.maximum(-r, 0)
    past_0 = r >= 0 if fault.get("zero_is_future") else r > 0
    exact = m // 2
    scale = np.log(max_distance if fault.get("plain_log") else max_distance / exact)
    far = exact + (np.log(np.maximum(n, 1) / exact) / scale * (m - exact)).astype(int)
    far = far if fault.get("unclamped") else np.minimum(far, m - 1)
    return np.where(n < exact, n, far) + (m * past_0 if bidirectional else 0)


def puts_far_keys_in_the_last_bucket(bucket):
    """huggingface/candle#1312."""
    assert bucket([200, -200], bidirectional=True).tolist() == [31, 15]


def counts_from_the_query_to_the_key(bucket):
    """dmlc/gluon-nlp#1470."""
    assert bucket([-20, -8, 8, 20], bidirectional=True).tolist() == [10, 8, 24, 26]


def holds_all_goldens(bucket):
    """lucidrains/x-transformers#10: a bucket code that was wrong in several ways."""
    assert bucket([-200, -20, -3, 0, 3, 200], bidirectional=True).tolist() == [15, 10, 3, 0, 19, 31]
    assert bucket([-200, -20, -3, 0, 3, 200], bidirectional=False).tolist() == [31, 17, 3, 0, 0, 0]


def has_exact_edges(bucket):
    """Powers of two are edges here; a logarithm in double precision falls short of three of them."""
    got = bucket([-8, -16, -32, -64], bidirectional=False, n_buckets=9)
    assert got.tolist() == [5, 6, 7, 8]


@pytest.mark.parametrize(
    ("check", "fault"),
    [
        (puts_far_keys_in_the_last_bucket, {"unclamped": True}),
        (counts_from_the_query_to_the_key, {"sign": -1}),
        (holds_all_goldens, {"halved": False}),
        (holds_all_goldens, {"plain_log": True}),
        (holds_all_goldens, {"symmetric": True}),
        (holds_all_goldens, {"zero_is_future": True}),
        (has_exact_edges, {}),
    ],
)
def test_t5_reported_mix_up(check, fault):
    check(t5_bucket)
    with pytest.raises(AssertionError):
        check(lambda r, **options: faulty_t5(r, **options, **fault))


def reads_the_last_rows_of_a_cache(distances):
    """google-research/text-to-text-transfer-transformer#415, transformers#8518: fewer queries than keys."""
    want = [[3, 2, 1, 0, 17], [4, 3, 2, 1, 0]]
    np.testing.assert_array_equal(t5_bucket(distances(2, 5), bidirectional=True), want)


def test_t5_of_a_cache():
    reads_the_last_rows_of_a_cache(lambda n_q, n_k: np.arange(n_k) - np.arange(n_k - n_q, n_k)[:, None])
    with pytest.raises(AssertionError):
        reads_the_last_rows_of_a_cache(lambda n_q, n_k: np.arange(n_k) - np.arange(n_q)[:, None])


def reads_the_rows_of_the_paper(row):
    for n_q in (5, 2):
        i, j = np.arange(5 - n_q, 5)[:, None], np.arange(5)
        np.testing.assert_array_equal(row(i, j, 2), shaw_index(n_q, 5, 2))


@pytest.mark.parametrize(
    "faulty",
    [
        lambda i, j, k: np.clip(i - j, -k, k) + k,
        lambda i, j, k: j - i + k,
        lambda i, j, k: np.clip(j - i, -k, k - 1) + k,
        lambda i, j, k: np.minimum(np.abs(j - i), k) + k,
        lambda i, j, k: np.clip(j - (i - i[0]), -k, k) + k,
    ],
)
def test_shaw_mix_ups(faulty):
    reads_the_rows_of_the_paper(lambda i, j, k: np.clip(j - i, -k, k) + k)
    with pytest.raises(AssertionError):
        reads_the_rows_of_the_paper(faulty)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: shaw_index(3, 2, 1), "n_q must be between 0 and n_k, got n_q = 3 and n_k = 2"),
        (lambda: shaw_index(-1, 2, 1), "got n_q = -1 and n_k = 2"),
        (lambda: shaw_index(2, 2, -1), "k must not be negative, got -1"),
        (lambda: t5_bucket(0, bidirectional=True, n_buckets=2), "n_buckets must be at least 4, got 2"),
        (lambda: t5_bucket(0, bidirectional=False, n_buckets=1), "n_buckets must be at least 2, got 1"),
        (lambda: t5_bucket(0, bidirectional=True, n_buckets=33), "even when bidirectional, got 33"),
        (lambda: t5_bucket(0, bidirectional=True, max_distance=8), "max_distance must be more than 8, got 8"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_distances_are_whole():
    with pytest.raises(TypeError, match="r must be of integers, got dtype float64"):
        t5_bucket([0.5], bidirectional=True)
