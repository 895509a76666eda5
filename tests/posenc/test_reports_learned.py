"""Mix-ups of learned tables that were reported in public: each check fails for the faulty version."""

from math import floor

import numpy as np
import pytest

from posenc.learned import interpolate_1d, interpolate_2d, lookup, positions_from_mask

TABLE = np.random.default_rng(0).normal(size=(8, 3))
GRID = np.random.default_rng(1).normal(size=(1 + 16, 3))


def reads_the_row_of_each_position(read):
    """Position 0 is the first row, and nothing is read outside: not silently from the other end."""
    np.testing.assert_array_equal(read(TABLE, [0, 7]), TABLE[[0, 7]])
    for outside in (-1, 8):
        try:
            read(TABLE, [outside])
        except IndexError:
            continue
        raise AssertionError(f"position {outside} was read")


def goes_on_after_a_cache(position_of):
    """openai/gpt-2, positions_for: the next token stands after those in the cache."""
    steps = [lookup(TABLE, position_of(past, 1))[0] for past in range(8)]
    np.testing.assert_array_equal(steps, TABLE)


def counts_from_the_first_token(positions):
    """transformers#33095, TransformerLens#1609: padding on the left shifted every token."""
    padded = positions(np.array([[0, 0, 1, 1, 1], [1, 1, 1, 0, 0]]))
    np.testing.assert_array_equal(padded[0, 2:], [0, 1, 2])
    np.testing.assert_array_equal(lookup(TABLE, padded[0, 2:]), lookup(TABLE, padded[1, :3]))


def starts_after_the_padding_index(positions):
    """fairseq#1187, transformers#1363: RoBERTa's rows start at pad + 1, and padding reads row pad."""
    masks = np.array([[1, 1, 1, 0, 0], [0, 0, 1, 1, 1]])
    np.testing.assert_array_equal(positions(masks, 1), [[2, 3, 4, 1, 1], [1, 1, 2, 3, 4]])


def has_the_size_that_was_asked_for(resize):
    """facebookresearch/dinov2#378, dino#8: the old size times a ratio of floats fell short of the new one."""
    for n in (39, 43, 78, 86, 115, 123):
        assert len(resize(np.zeros((37, 1)), n)) == n


def by_ratio(table, n):
    return interpolate_1d(table, floor(len(table) * (n / len(table))))


def keeps_what_is_no_cell(resize):
    """timm#1365, dinov2#506: the class token is not part of the grid."""
    np.testing.assert_array_equal(resize(GRID, (4, 4), (2, 3), prefix=1)[0], GRID[0])


def prefix_too(table, old, new, *, prefix):
    return interpolate_1d(table, prefix + new[0] * new[1])


def notices_that_only_the_shape_changed(resize):
    """timm#2317: as many cells as before, on another grid."""
    table = np.arange(16.0)[:, None]
    assert not np.array_equal(resize(table, (2, 8), (4, 4)), table)


def where_the_number_differs(table, old, new, *, prefix=0):
    unchanged = len(table) == prefix + new[0] * new[1]
    return table if unchanged else interpolate_2d(table, old, new, prefix=prefix)


def reads_cells_row_by_row(resize):
    """timm#2541, transformers#41380, VisionLLaMA#4: cell n of a grid of width w is (n // w, n % w)."""
    n = np.arange(6)
    cells = np.stack([n // 3, n % 3], axis=-1).astype(float)  # on a grid of 2 by 3
    np.testing.assert_array_equal(resize(cells, (2, 3), (2, 3)), cells)
    got = resize(cells, (2, 3), (3, 5), align_corners=True).reshape(3, 5, 2)
    np.testing.assert_allclose(got[..., 0], np.repeat([[0], [0.5], [1]], 5, axis=1))
    np.testing.assert_allclose(got[..., 1], [[0, 0.5, 1, 1.5, 2]] * 3)


def column_by_column(table, old, new, **options):
    (h, w), d = old, table.shape[-1]
    columns = table.reshape(w, h, d).swapaxes(0, 1).reshape(h * w, d)
    return interpolate_2d(columns, old, new, **options)


def draws_lines_between_rows(resize):
    """Rows copied to the nearest place, in steps."""
    np.testing.assert_allclose(resize(np.array([[0.0], [1.0]]), 4)[:, 0], [0, 0.25, 0.75, 1])


@pytest.mark.parametrize(
    ("check", "ours", "faulty"),
    [
        (reads_the_row_of_each_position, lookup, lambda t, p: t[np.array(p) - 1]),
        (reads_the_row_of_each_position, lookup, lambda t, p: t[np.array(p) % len(t)]),
        (reads_the_row_of_each_position, lookup, lambda t, p: t[np.clip(p, 0, len(t) - 1)]),
        (reads_the_row_of_each_position, lookup, lambda t, p: t[p]),
        (goes_on_after_a_cache, lambda past, n: past + np.arange(n), lambda past, n: np.arange(n)),
        (
            counts_from_the_first_token,
            positions_from_mask,
            lambda m: np.broadcast_to(np.arange(m.shape[1]), m.shape),
        ),
        (counts_from_the_first_token, positions_from_mask, lambda m: np.cumsum(m, axis=-1)),
        (
            starts_after_the_padding_index,
            lambda m, pad: np.where(m, positions_from_mask(m) + pad + 1, pad),
            lambda m, pad: positions_from_mask(m),
        ),
        (
            starts_after_the_padding_index,
            lambda m, pad: np.where(m, positions_from_mask(m) + pad + 1, pad),
            lambda m, pad: positions_from_mask(m) + pad + 1,
        ),
        (has_the_size_that_was_asked_for, interpolate_1d, by_ratio),
        (keeps_what_is_no_cell, interpolate_2d, prefix_too),
        (notices_that_only_the_shape_changed, interpolate_2d, where_the_number_differs),
        (
            reads_cells_row_by_row,
            interpolate_2d,
            lambda t, o, n, **k: interpolate_2d(t, o[::-1], n[::-1], **k),
        ),
        (reads_cells_row_by_row, interpolate_2d, column_by_column),
        (draws_lines_between_rows, interpolate_1d, lambda t, n: np.repeat(t, n // len(t), axis=0)),
        (draws_lines_between_rows, interpolate_1d, lambda t, n: interpolate_1d(t, n, align_corners=True)),
    ],
)
def test_reported_mix_up(check, ours, faulty):
    check(ours)
    with pytest.raises(AssertionError):
        check(faulty)


def test_the_ratio_falls_short_for_these_sizes_and_no_others():
    assert [n for n in range(1, 128) if floor(37 * (n / 37)) != n] == [39, 43, 78, 86, 115, 123]
    assert [n for n in range(1, 128) if floor(14 * (n / 14)) != n] == [61, 115, 122]
