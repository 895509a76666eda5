import datetime
import os

import pytest

from autograder.course import timestamp

WRITTEN = datetime.datetime(2026, 2, 3, 4, 5, 6)


def submitted(tmp_path, text):
    path = tmp_path / "timestamp.txt"
    path.write_bytes(text)
    moment = WRITTEN.replace(tzinfo=datetime.UTC).timestamp()
    os.utime(path, (moment, moment))
    return timestamp.read(tmp_path)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        (b"2026-01-03 00:00:00.000000 UTC\n", datetime.datetime(2026, 1, 3)),
        (b"2026-01-03 00:00:00", datetime.datetime(2026, 1, 3)),
        (b"2026-01-03 00:00:00 +0100", datetime.datetime(2026, 1, 2, 23)),
        (b"2026-01-03 00:00:00 -0530", datetime.datetime(2026, 1, 3, 5, 30)),
        (b"2026-07-03 00:00:00 EST", datetime.datetime(2026, 7, 3, 5)),
        (b"2026-01-03 00:00:00" + b" " * 100 + b"is all that is read", datetime.datetime(2026, 1, 3)),
    ],
)
def test_a_date_is_read_with_its_zone(tmp_path, text, moment):
    assert submitted(tmp_path, text) == moment


@pytest.mark.parametrize("text", [b"yesterday", b"\xff\xfe", b"9" * 1000, b"99999-01-01", b"2026-13-45"])
def test_nonsense_counts_from_when_it_was_written(tmp_path, text):
    assert submitted(tmp_path, text) == WRITTEN


def test_no_file_and_an_empty_file_are_no_date(tmp_path):
    assert timestamp.read(tmp_path) is None
    assert submitted(tmp_path, b"\n") is None


def test_what_is_not_a_file_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "timestamp.txt")
    early = datetime.datetime(2026, 1, 1).timestamp()
    os.utime(tmp_path / "timestamp.txt", (early, early))

    assert timestamp.read(tmp_path) == timestamp.naive(datetime.datetime.fromtimestamp(early, datetime.UTC))


def test_a_link_is_not_followed(tmp_path):
    elsewhere = tmp_path / "early"
    elsewhere.write_text("1999-01-01 00:00:00")
    (tmp_path / "timestamp.txt").symlink_to(elsewhere)

    assert timestamp.read(tmp_path).year > 2000
