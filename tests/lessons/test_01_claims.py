"""What the prose of lesson 1 claims, computed."""

import numpy as np
import pytest

LESSON = "01_order"
CYCLE = [3, 1, 0, 5, 2, 4]


def after(lesson, *cells):
    """Return the solved lesson's names, with these picture cells run as well."""
    namespace = lesson.solved()
    for cell in cells:
        exec(lesson.source[cell], namespace)
    return namespace


def test_the_averages_of_section_1():
    offers = np.array([10, 20, 60])
    assert offers.mean() == 30 and offers @ [0.9, 0.1, 0] == pytest.approx(11)


def test_when_the_last_key_gets_half(lesson):
    softmax = lesson.solved()["softmax"]
    assert softmax(np.array([0.0, 1.0, 2.0])).round(2).tolist() == [0.09, 0.24, 0.67]
    half = np.log(1 + np.e)
    assert round(half, 2) == 1.31
    assert softmax(np.array([0.0, 1.0, half]))[2] == pytest.approx(0.5)


def test_where_the_exponential_overflows():
    with np.errstate(over="ignore"):
        assert np.isfinite(np.exp(709.0)) and np.isinf(np.exp(710.0))


def test_wide_heads_need_the_root(lesson):
    namespace = after(lesson, "scaling_picture")
    assert namespace["undivided"][-1] > 0.95 and np.all(np.diff(namespace["undivided"]) > 0)
    assert max(namespace["divided"]) < 0.35 and min(namespace["divided"]) > 0.25


def test_a_dot_product_spreads_by_the_root_of_d():
    for d in (4, 64, 1024):
        q, k = np.random.default_rng(0).normal(size=(2, 4000, d))
        assert (q * k).sum(axis=1).std() == pytest.approx(np.sqrt(d), rel=0.05)


def test_both_sentences_give_each_word_the_same(lesson):
    names = lesson.solved()
    assert [names["first"][i] for i in names["swap"]] == names["second"]
    np.testing.assert_array_equal(names["A"][names["swap"]], names["B"])
    f, A, B = (names[name] for name in ("self_attention", "A", "B"))
    np.testing.assert_allclose(f(A), f(B)[names["swap"]], atol=1e-14)
    assert np.abs(f(A) - f(B)).max() > 0.1


def test_one_probability_without_positions_and_many_with(lesson):
    shown = after(lesson, "bag_picture")["lines"]
    assert [len(line) for line in shown.values()] == [720, 720]
    without, added = shown.values()
    assert np.ptp(without) < 1e-12
    assert len(np.unique(added.round(9))) == 360  # "the" comes twice


def test_heads_stand_side_by_side(lesson):
    """Each of the model's two heads is attention on four of the features."""
    names = lesson.solved()
    X, attention = names["A"], names["attention"]
    for _ in range(2):
        q, k, v = (X @ names[name] for name in ("W_q", "W_k", "W_v"))
        heads = [attention(q[:, each], k[:, each], v[:, each]) for each in (slice(4), slice(4, 8))]
        X = X + np.concatenate(heads, axis=1)
        X = X + np.maximum(X @ names["W_1"], 0) @ names["W_2"]
    np.testing.assert_allclose(names["model"](names["A"]), X)


def test_equivariant_and_not_invariant(lesson):
    names = lesson.solved()
    f, A, order, swap = (names[name] for name in ("self_attention", "A", "order", "swap"))
    assert order.tolist() == CYCLE
    for each in (order, swap):
        assert np.allclose(f(A[each]), f(A)[each])
        assert not np.allclose(f(A[each]), f(A))


def test_a_swap_hides_the_inverse(lesson):
    names = lesson.solved()
    order, swap, X = names["order"], names["swap"], names["A"]
    assert np.argsort(order).tolist() == [2, 1, 4, 0, 5, 3]
    assert np.argsort(swap).tolist() == swap.tolist()
    distinct = X + np.arange(6)[:, None]  # "the" comes twice, so its rows could change places unseen
    assert np.allclose(distinct[swap], distinct[np.argsort(swap)])
    assert not np.allclose(distinct[order], distinct[np.argsort(order)])


def test_the_table_of_functions_and_orders(lesson):
    names = after(lesson, "is_equivariant_picture")
    assert np.array_equal(names["yours"], names["expected"])


def test_the_predictions_are_what_the_picture_shows(lesson):
    names = after(lesson, "kinds_picture")
    for kind, moves, stays in zip(names["kinds"], names["moves"], names["stays"], strict=True):
        said = "invariant" if stays else "equivariant" if moves == 1 else "neither"
        assert names[kind] == said
    assert [name for name, moves in zip(names["kinds"], names["moves"], strict=True) if np.isnan(moves)] == [
        "mean_after",
        "one_query",
    ]


def test_the_head_counts(lesson):
    output = after(lesson, "count_picture")["output"]
    np.testing.assert_allclose(output, 1 / np.arange(1, 17))


def test_the_last_word_notices_from_two_layers_on(lesson, capsys):
    names = lesson.solved()
    exec(lesson.source["depth"], names)
    assert "0.00 after one layer, 1.13 after two" in capsys.readouterr().out
    assert names["change_of_rows"](1)[5] < 1e-12
    assert np.all(names["change_of_rows"](1)[:5] > 0.1) and np.all(names["change_of_rows"](2) > 0.1)


def test_each_place_breaks_equivariance_and_one_zero_is_left(lesson):
    names = after(lesson, "change_picture")
    change = dict(zip(names["ways"], np.array(names["change"]), strict=True))
    assert change.pop("nothing").max() < 1e-12
    unchanged = [(way, names["first"][i]) for way, row in change.items() for i in np.flatnonzero(row < 0.05)]
    assert unchanged == [("2 relative", "on")]
    assert change["2 relative"][3] < 1e-12
    asked = [names[name] for name in ("self_attention", "model", "absolute", "relative", "rotary")]
    said = [bool(names["is_equivariant"](f, names["A"], names["order"])) for f in asked]
    assert said == [True, True, False, False, False]


def test_plain_distance_does_not_see_a_reversal(lesson):
    names = lesson.solved()
    assert names["is_equivariant"](names["relative"], names["A"], np.arange(6)[::-1])
    assert not names["is_equivariant"](names["rotary"], names["A"], np.arange(6)[::-1])
