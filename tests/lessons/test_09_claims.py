"""What the prose of lesson 9 claims, computed: ten bugs, unseen by the obvious test, seen by another."""

import contextlib
import io
import re

import numpy as np
import pytest

from posenc.checks import WrongAnswer, exposes
from posenc.misconceptions.debugging import BUGS
from tests.lessons.answers.debugging import EXERCISES

LESSON = "09_debugging"

CELLS = dict(
    zip(
        "precision layout heads cache dynamic slopes factor padding grid ratio".split(),
        BUGS,
        strict=True,
    )
)
#: The inputs of each obvious test, in the words of the cell where the shipped program stands.
OBVIOUS = {
    "precision": ["(x.astype(np.float16), np.arange(1024))", "(x, np.arange(1024))"],
    "layout": ["(np.tile([1.0, 0.0], (9, 1)), p)", "(x, 0 * p)"],
    "cache": ["(Q, K, V, 9)"],
    "dynamic": ["(Q, K, V, 16)"],
    "slopes": ["(8,)", "(16,)"],
    "factor": ["(q, k, 1)", "(q, k[:1], 8)"],
    "padding": ["(tokens, mask, table)", "(tokens[1:, :4], mask[1:, :4], table)"],
    "grid": ["(y + x, (2, 2), (2, 2))", "(4.0 * y + x, (2, 2), (3, 3))"],
    "ratio": [f"(np.zeros(({m}, 2)), {n})" for m, n in [(7, 14), (14, 7), (16, 24), (14, 24), (14, 32)]],
}
#: Two obvious tests look at less than the numbers: at what does not change, and at the order.
PROPERTIES = {"heads", "factor"}


def run(lesson, name):
    """Run the cell of a shipped program, on the lesson's given code; return its names and what it said."""
    namespace, said = {}, io.StringIO()
    with contextlib.redirect_stdout(said):
        for cell in ("imports", f"{name}_shipped"):
            if name == "ratio" and cell == "ratio_shipped":
                exec(lesson.source["grid_shipped"], namespace)
            exec(lesson.source[cell], namespace)
    return namespace, said.getvalue()


@pytest.mark.parametrize("name", CELLS)
def test_the_obvious_test_passes_on_the_shipped_program(lesson, name):
    _, said = run(lesson, name)
    assert said.count("True") >= 1 or name == "ratio"
    assert "False" not in said
    if name == "ratio":
        assert re.findall(r"to (\d+): (\d+) rows", said) == [(n, n) for n in ("14", "7", "24", "24", "32")]
    if name == "grid":
        assert "[0.  0.5 1.  2.  2.5 3.  4.  4.5 5. ]" in said  # 4 y + x at thirds of the way


@pytest.mark.parametrize("name", CELLS)
def test_the_bug_is_invisible_to_the_obvious_test_and_visible_to_the_asked_one(lesson, name):
    namespace, _ = run(lesson, name)
    bug = BUGS[CELLS[name]]
    for words in OBVIOUS.get(name, []):
        given = eval(words, namespace)
        np.testing.assert_allclose(bug.shipped(*given), bug.family.reference(*given), rtol=1e-9, atol=1e-9)
        with pytest.raises(WrongAnswer):
            exposes(CELLS[name], given)
    if name in PROPERTIES:
        assert "True" in run(lesson, name)[1]
    exposes(CELLS[name], lesson.solved()[f"input_{name}"])


@pytest.mark.parametrize("name", CELLS)
def test_the_obvious_test_stands_in_its_cell(lesson, name):
    source = lesson.source[f"{name}_shipped"].replace("prompt=", "").replace("original=", "")
    for words in OBVIOUS.get(name, []):
        if name != "ratio":
            assert words.strip("(),") in source, words


@pytest.mark.parametrize("name", CELLS)
def test_the_notebook_shows_the_program_that_the_catalogue_holds(lesson, name):
    namespace, _ = run(lesson, name)
    bug = BUGS[CELLS[name]]
    with np.errstate(all="ignore"):
        for args in [probe.args for probe in bug.family.probes] + [lesson.solved()[f"input_{name}"]]:
            shown, held = (np.asarray(f(*args)) for f in (namespace[f"shipped_{name}"], bug.shipped))
            assert shown.dtype == held.dtype or name in ("grid", "slopes")
            # In half precision the two round at different steps.
            near = 5e-3 if held.dtype == np.float16 else 1e-4 if held.dtype == np.float32 else 1e-9
            np.testing.assert_allclose(shown, held, rtol=near, atol=near)


def errors(lesson):
    """Return how far off each shipped program is on the solution's own input, as shares; NaN for shapes."""
    shares = []
    for name, exercise in CELLS.items():
        given, bug = lesson.solved()[f"input_{name}"], BUGS[exercise]
        right, wrong = (np.asarray(f(*given), float) for f in (bug.family.reference, bug.shipped))
        same = right.shape == wrong.shape
        shares.append(np.abs(right - wrong).max() / np.abs(right).max() if same else np.nan)
    return np.array(shares)


def test_the_cover_shows_how_far_off_they_are(lesson):
    found = re.search(r"found = (\[[^\]]*\])", lesson.source["cover_picture"])[1]
    np.testing.assert_allclose(eval(found, {"np": np}), errors(lesson), atol=0.005)


def test_positions_that_are_stored_as_one_number_make_rows_alike(lesson):
    rows = BUGS["rotate_precisely"].shipped(*lesson.solved()["input_precision"])
    right = BUGS["rotate_precisely"].family.reference(*lesson.solved()["input_precision"])
    alike = [(i, j) for i in range(6) for j in range(i) if (rows[i] == rows[j]).all()]
    assert sorted(alike) == [(1, 0), (4, 3), (5, 3), (5, 4)]
    assert len({tuple(row) for row in right}) == 6


def test_the_mixed_layout_changes_lengths(lesson):
    x, p = lesson.solved()["input_layout"]
    lengths = np.linalg.norm(BUGS["rotate_neighbours"].shipped(x, p), axis=1)
    assert np.ptp(lengths) > 0.1
    np.testing.assert_allclose(np.linalg.norm(lesson.solved()["rotate_neighbours"](x, p), axis=1), 2)


def test_the_scores_of_shipped_heads_know_no_position(lesson):
    assert np.ptp(BUGS["head_scores"].shipped(*lesson.solved()["input_heads"])) < 1e-12
    right = BUGS["head_scores"].family.reference(*lesson.solved()["input_heads"])[0]
    for offset in range(-11, 12):
        assert np.ptp(np.diagonal(right, offset)) < 1e-12


def test_decoded_tokens_share_their_weight_and_the_very_first_gets_as_much(lesson):
    given = lesson.solved()["input_cache"]
    shipped, right = BUGS["decode_after"].shipped(*given), BUGS["decode_after"].family.reference(*given)
    for t in range(4, 8):
        np.testing.assert_allclose(shipped[t, 4 : t + 1], shipped[t, t])
        np.testing.assert_allclose(shipped[t, 0], shipped[t, t])
    assert (right.argmax(axis=1) == np.arange(8)).all()
    np.testing.assert_allclose(shipped[:4], right[:4])


def test_stale_keys_move_weight_after_the_original_length(lesson):
    given = lesson.solved()["input_dynamic"]
    off = np.abs(BUGS["decode_dynamic"].shipped(*given) - lesson.solved()["decode_dynamic"](*given)).max(
        axis=1
    )
    assert off[:6].max() < 1e-12 and 0.01 < off[6:].max() < 0.1  # gentle


def test_a_doubled_factor_sharpens_and_rows_sum_to_1(lesson):
    q, k, s = lesson.solved()["input_factor"]
    shipped, right = (f(q, k, s) for f in (BUGS["yarn_weights"].shipped, lesson.solved()["yarn_weights"]))
    assert (np.diagonal(right) > np.diagonal(shipped) + 0.05).all()
    np.testing.assert_allclose(right.sum(axis=1), 1)


def test_on_the_left_a_text_begins_where_it_stands(lesson):
    shipped = BUGS["add_positions"].shipped(*lesson.solved()["input_padding"])
    right = lesson.solved()["add_positions"](*lesson.solved()["input_padding"])
    assert shipped[0].argmax(axis=1)[2:].tolist() == [2, 3, 4, 5]
    assert right[0].argmax(axis=1)[2:].tolist() == [0, 1, 2, 3] and right[1].argmax(axis=1)[0] == 0


def test_the_slope_stays_one_where_it_is_resized_and_breaks_where_not(lesson):
    table, old, new = lesson.solved()["input_grid"]
    right = lesson.solved()["resize_grid"](table, old, new).reshape(4, 4)
    shipped = BUGS["resize_grid"].shipped(table, old, new).reshape(4, 4)
    for axis in (0, 1):
        assert np.ptp(np.diff(right, axis=axis)) < 1e-12
    assert np.ptp(np.diff(shipped, axis=0)) > 0.1
    np.testing.assert_array_equal(shipped.reshape(2, 8), table.reshape(2, 8))  # each line fills two


def test_six_heads(lesson):
    slopes = np.log2(lesson.solved()["head_slopes"](6))
    assert (np.diff(slopes[:4]) < 0).all() and slopes[4] > slopes[:4].max() and slopes[5] > slopes[1]
    shipped = BUGS["head_slopes"].shipped(6)
    assert np.ptp(np.diff(np.log2(shipped))) < 1e-12
    assert (np.abs(shipped - 2**slopes) > 1e-3).sum() >= 4  # other slopes in most heads


def test_the_quotient_falls_a_hair_short(lesson):
    table, n = lesson.solved()["input_ratio"]
    m = len(table)
    assert int(m * (n / m)) == n - 1 and n - m * (n / m) < 1e-13
    with_offset = (n + 0.1) / m
    assert int(m * with_offset) == n  # what DINO did


NOT_SHOWN = {
    "precision": "(np.array([[1.0, 0]]), np.array([2]))",
    "layout": "(np.array([[1.0, 0]]), np.array([2]))",
    "heads": "(np.array([[[1.0, 0.0]]]), np.array([[[1.0, 0.0]]]))",
    "cache": "(*np.random.default_rng(1).normal(size=(3, 6, 4)), 6)",
    "dynamic": "(*np.random.default_rng(1).normal(size=(3, 7, 6)), 7)",
    "slopes": "(4,)",
    "factor": "(np.array([[1.0, 0]]), np.eye(2), 1)",
    "padding": "(np.zeros((1, 3, 2)), np.array([[1, 1, 0]]), np.array([[1.0, 2], [3, 4], [5, 6]]))",
    "grid": "(np.array([[0.0], [4]]), (1, 2), (1, 3))",
    "ratio": "(np.array([[0.0], [1]]), 4)",
}


@pytest.mark.parametrize("name", CELLS)
def test_no_visible_test_gives_an_input_away(name):
    """Each asks the mended program what the prompt works out by hand, and that exposes nothing."""
    assert objection(CELLS[name], eval(NOT_SHOWN[name]))


#: The checklist of 'In practice': a test with these inputs sees each bug that its row names.
def test_every_row_of_the_checklist_catches_what_it_says():
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 7, 3, 6))
    Q, K, V = 2 * rng.normal(size=(3, 7, 6))
    x = rng.normal(size=(7, 6))
    exposes("rotate_neighbours", (x, np.arange(7)))
    exposes("resize_grid", (rng.normal(size=(16, 6)), (2, 8), (4, 4)))
    exposes("head_scores", (q, k))
    exposes("rotate_precisely", (x.astype(np.float16), np.arange(3001, 3008)))
    exposes("decode_after", (Q, K, V, 3))
    exposes("decode_dynamic", (Q, K, V, 3))
    exposes("yarn_weights", (Q, K, 4))
    mask = np.array([[0, 0, 1, 1, 1, 1, 1]])
    exposes("add_positions", (x[None], mask, rng.normal(size=(7, 6))))
    seen = {
        "head_slopes": [(h,) for h in range(1, 20)],
        "resize_rows": [(np.zeros((14, 1)), n) for n in range(1, 99)],
    }
    for exercise, inputs in seen.items():
        assert any(not objection(exercise, given) for given in inputs)


def objection(exercise, given):
    """Return what is said against an input, or nothing."""
    try:
        exposes(exercise, given)
    except WrongAnswer as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", CELLS)
def test_every_sentence_on_inputs_is_heard(name):
    tried = [given[f"input_{name}"] for given in EXERCISES[name].wrong.values()]
    heard = {objection(CELLS[name], given) for given in tried}
    bug = BUGS[CELLS[name]]
    assert {sentence for _, sentence in (*bug.needs, *bug.blind)} <= heard
