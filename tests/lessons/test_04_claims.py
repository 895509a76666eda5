"""What the prose of lesson 4 claims in numbers, computed."""

import numpy as np

LESSON = "04_relative"


def drawn(lesson, *cells):
    """Return the namespace of the solution after these picture cells."""
    namespace = lesson.solved()
    for cell in cells:
        exec(lesson.source[cell], namespace)
    namespace["plt"].close("all")
    return namespace


def buckets(lesson, r, *args):
    return np.asarray(lesson.solved()["t5_bucket"](np.asarray(r), *args))


def first_of_each(lesson, far, *args):
    """Return the first distance of each bucket, looking back."""
    return np.unique(buckets(lesson, -np.arange(far), *args), return_index=True)[1].tolist()


def test_rows_change_with_the_place_of_a_phrase_and_a_bias_does_not(lesson):
    namespace = lesson.solved()
    with_rows, with_bias = namespace["with_rows"], namespace["with_bias"]
    assert np.abs(with_rows(20) - with_rows(0)).max().round(2) == 0.56
    assert np.array_equal(with_bias(20), with_bias(0))
    sentence = "the cat sat down here".split()
    looks = [sentence[with_rows(first)[2].argmax()] for first in (0, 20)]
    assert looks == ["cat", "the"]


def test_distances_and_the_index_by_hand(lesson):
    index = lesson.solved()["relative_index"]
    assert index(3, 3, 1).tolist() == [[1, 2, 2], [0, 1, 2], [0, 0, 1]]
    assert index(1, 3, 1).tolist() == [[0, 0, 1]]
    picture = index(5, 8, 2)
    assert picture[0, 3] == 2 and picture[-1, 0] == 0 and picture[0, -1] == 4
    assert picture[0, 0] == 0, (
        "the upper left corner has the middle colour only for queries at the first positions"
    )


def test_vectors_of_all_pairs_are_avoided_with_the_same_scores(lesson):
    namespace = lesson.solved()
    wanted = namespace["shaw_scores"](*(namespace[name] for name in ("q", "k", "table", "index")))
    np.testing.assert_allclose(namespace["at_once"], wanted)


def test_memory_of_vectors_and_of_numbers(lesson):
    namespace = drawn(lesson, "memory_picture")
    at = namespace["n"].tolist().index(2048)
    assert [size[at] for size in namespace["sizes"].values()] == [1024, 16]


def test_the_small_staircase_is_what_the_formula_gives(lesson):
    namespace = drawn(lesson, "bucket_picture")
    assert buckets(lesson, -np.arange(25), False, 8, 16).tolist() == namespace["bucket"]
    assert first_of_each(lesson, 25, False, 8, 16) == [0, 1, 2, 3, 4, 6, 8, 12]


def test_the_buckets_by_hand(lesson):
    assert buckets(lesson, [-1, -5, -100, 0, 1, 6], True, 8, 16).tolist() == [1, 2, 3, 0, 5, 7]
    part = np.log(np.array([2.5, 3])) / np.log(16 / 2) * 2
    assert part.round(2).tolist() == [0.88, 1.06]


def test_the_expected_picture_is_t5s_encoder_and_31_buckets_are_read(lesson):
    namespace = drawn(lesson, "t5_bucket_picture")
    r = namespace["r"]
    read = buckets(lesson, r, True)
    assert (namespace["steps"] + 16 * (r > 0) == read).all()
    assert set(read.tolist()) == set(range(32)) - {16}
    assert read[r == -140] == 15 and read[r == 140] == 31 and read[r == 1] == 17


def test_what_the_number_of_buckets_decides(lesson):
    assert first_of_each(lesson, 300, True, 8, 128) == [0, 1, 2, 16]
    assert first_of_each(lesson, 300, True, 32, 128)[-1] == 91
    assert first_of_each(lesson, 300, True, 32, 128)[:9] == list(range(9))
    assert buckets(lesson, [-200, -1_000_000], True).tolist() == [15, 15]


def test_a_distance_on_an_edge_falls_short_in_floats():
    short = np.log(8) * (8 / np.log(16))
    assert 64**8 * 8**6 == 128**6 * 8**8, "on paper it is exactly 6"
    assert 5.999999 < short < 6


def test_added_to_the_weights_a_bias_spoils_the_sum(lesson):
    rows = drawn(lesson, "place_picture")["rows"]
    np.testing.assert_allclose(rows[:, -1], [1, 1, 0.5])
    assert rows[1, 2] < rows[0, 2] and (rows[1, :2] > rows[0, :2]).all() and rows[2, 2] < 0


def test_a_head_by_hand(lesson):
    attend = lesson.solved()["biased_attention"]
    out = attend(np.zeros((1, 1, 4)), np.zeros((1, 2, 4)), np.array([[[10.0], [20]]]), np.log([[[1.0, 3]]]))
    np.testing.assert_allclose(out, [[[17.5]]])


def test_a_table_learns_a_spike_and_a_line(lesson):
    namespace = lesson.solved()
    spike = np.sort(namespace["learn"](namespace["previous"], 64))
    assert 12 < spike[-1] - spike[-2] < 13
    exact = namespace["learn"](namespace["fading"], 64)[:16]
    np.testing.assert_allclose(np.diff(exact), -1 / 8, atol=0.005)


def test_the_gradient_is_weight_minus_wanted(lesson):
    """Central differences of the cross-entropy, for one bucket's number."""
    softmax = lesson.solved()["softmax"]
    bucket, wanted, table = np.array([0, 1, 1, 2]), np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.3, -0.2, 0.5])

    def loss(step):
        return -(wanted * np.log(softmax((table + step * np.eye(3)[1])[bucket]))).sum()

    slope = (loss(1e-6) - loss(-1e-6)) / 2e-6
    off = softmax(table[bucket]) - wanted
    np.testing.assert_allclose(slope, off[bucket == 1].sum(), rtol=1e-6)


def test_where_the_table_ends(lesson):
    namespace = lesson.solved()
    share, learn = namespace["near_share"], namespace["learn"]
    untrained, trained = (learn(namespace["fading"], reach) for reach in (128, 64))
    assert first_of_each(lesson, 200, False, 32, 128)[27] == 67
    assert (untrained[27:] == 0).all() and (untrained[:27] != 0).all() and (trained != 0).all()
    assert first_of_each(lesson, 200, False, 32, 64)[-1] == 59
    assert [round(share(untrained, 128, n), 2) for n in (256, 1024)] == [0.31, 0.08]
    assert [round(share(trained, 64, n), 2) for n in (256, 1024)] == [0.95, 0.78]


def test_the_spike_holds_at_any_length(lesson):
    namespace = lesson.solved()
    for reach in (128, 64):
        table = namespace["learn"](namespace["previous"], reach)
        bias = table[buckets(lesson, np.arange(1024) - 1023, False, 32, reach)]
        assert namespace["softmax"](bias)[-2] > 0.99


def test_counts_of_numbers_to_learn(lesson):
    assert list(lesson.solved()["counts"].values()) == [393_216, 4224, 256]


def test_a_bucket_of_the_decoder_holds_42_and_its_neighbours(lesson):
    """The question left to the reader: 3 has a bucket of its own, 42 shares one."""
    assert [buckets(lesson, -n, False).item() for n in (39, 40, 42, 45, 46)] == [22, 23, 23, 23, 24]
