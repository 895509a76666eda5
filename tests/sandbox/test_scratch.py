"""Whatever a student leaves behind is counted and cleared, and nothing beyond it is touched."""

import os

import pytest

from autograder import sandbox


@pytest.fixture
def neighbour(tmp_path):
    folder = tmp_path / "neighbour"
    folder.mkdir()
    (folder / "kept").write_text("kept")
    return folder


def test_usage_counts_bytes_and_entries(scratch):
    (scratch / "a").mkdir()
    (scratch / "a" / "b").write_bytes(bytes(100_000))
    size, entries = sandbox.usage(scratch)
    assert 100_000 <= size < 200_000
    assert entries == 2


def test_usage_counts_what_a_sparse_file_claims(scratch):
    with open(scratch / "sparse", "wb") as file:
        file.truncate(1 << 30)
    assert sandbox.usage(scratch)[0] >= 1 << 30


def test_usage_stops_at_the_bound(scratch):
    for n in range(30):
        (scratch / f"{n}").touch()
    assert sandbox.usage(scratch, 10)[1] == 11
    assert sandbox.usage(scratch, 30)[1] == 30


def test_usage_does_not_follow_links(scratch, neighbour):
    (scratch / "link").symlink_to(neighbour)
    assert sandbox.usage(scratch)[1] == 1


def test_usage_sees_into_folders_without_a_mode(scratch):
    hidden = scratch / "hidden"
    hidden.mkdir()
    (hidden / "big").write_bytes(bytes(50_000))
    hidden.chmod(0o300)
    assert sandbox.usage(scratch)[0] >= 50_000


def _deep(folder, levels):
    """Make a tree deeper than a path can name."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d" * 100, dir_fd=here)
        inner = os.open("d" * 100, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


def test_usage_of_a_tree_too_deep_to_name_is_over_the_bound(scratch):
    _deep(scratch, 100)
    assert sandbox.usage(scratch, 1000)[1] == 1001


def test_clear_removes_a_tree_too_deep_to_name(scratch):
    _deep(scratch, 100)
    sandbox.clear(scratch)
    assert not list(scratch.iterdir())


def test_clear_keeps_the_folder_and_the_neighbour(scratch, neighbour):
    (scratch / "link").symlink_to(neighbour)
    (scratch / "inner").mkdir()
    (scratch / "inner" / "link").symlink_to(neighbour / "kept")
    sandbox.clear(scratch)
    assert not list(scratch.iterdir())
    assert (neighbour / "kept").read_text() == "kept"


def test_clear_removes_what_has_no_mode(scratch):
    (scratch / "a" / "b").mkdir(parents=True)
    (scratch / "a" / "b" / "c").write_text("x")
    (scratch / "a" / "b").chmod(0)
    (scratch / "a").chmod(0o500)
    scratch.chmod(0o500)
    sandbox.clear(scratch)
    assert not list(scratch.iterdir())


def test_clear_removes_odd_names(scratch):
    for name in (b"\xff\xfe", b"a\nb", b"-rf", "é".encode(), b"1"):
        os.mkdir(os.path.join(os.fsencode(scratch), name))
        os.mkdir(os.path.join(os.fsencode(scratch), name, b"1"))
    sandbox.clear(scratch)
    assert not list(scratch.iterdir())


def test_clear_refuses_a_link(tmp_path, neighbour):
    (tmp_path / "link").symlink_to(neighbour)
    with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
        sandbox.clear(tmp_path / "link")
    assert (neighbour / "kept").exists()
