import json

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator

from autograder.course.build import BuildError, build, notebook, texts

HEADER = """\
# ---
# jupyter:
#   jupytext:
#     text_representation:
#       format_name: percent
# ---

"""


def write(tmp_path, body, name="01_tiny"):
    path = tmp_path / f"{name}.py"
    path.write_text(HEADER + body)
    return path


def cells(tmp_path, body):
    return json.loads(notebook(write(tmp_path, body)))["cells"]


def test_the_notebook_is_what_nbgrader_and_jupyter_take(course):
    (path,) = course.notebooks("01_tiny")
    node = nbformat.read(path, as_version=4)

    nbformat.validate(node)
    MetadataValidator().validate_nb(node)
    assert path.read_bytes().endswith(b"}\n")


def test_building_again_changes_nothing_and_says_so(course):
    (path,) = course.notebooks("01_tiny")
    before = path.read_bytes(), path.stat().st_mtime_ns

    assert build(course) == []
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_a_changed_text_is_built_and_named(course):
    text = texts(course)["01_tiny"]
    text.write_text(text.read_text().replace("# Double a number", "# Double any number"))

    assert build(course) == ["01_tiny"]
    assert "Double any number" in course.notebooks("01_tiny")[0].read_text()


def test_only_what_was_written_is_kept(course):
    node = json.loads(course.notebooks("01_tiny")[0].read_text())

    assert set(node["metadata"]) == {"autograder", "kernelspec", "language_info"}
    assert node["metadata"]["autograder"] == {"withhold": ["posenc.rotary"]}
    assert {key for cell in node["cells"] for key in cell["metadata"]} == {"autograder", "nbgrader"}
    assert all(cell["outputs"] == [] for cell in node["cells"] if cell["cell_type"] == "code")


def test_ids_are_grade_ids_or_come_from_the_content(tmp_path):
    body = '# %% [markdown]\n# One.\n\n# %% nbgrader={"grade_id": "f", "solution": true}\nf = 1\n'
    first = cells(tmp_path, body)

    assert first[1]["id"] == "f"
    # A new cell above, and another edit, move no id.
    later = cells(tmp_path, "# %%\nimport numpy\n\n" + body.replace("f = 1", "f = 2"))
    assert [cell["id"] for cell in later[1:]] == [cell["id"] for cell in first]


def test_ids_are_unique_where_cells_are_alike(tmp_path):
    ids = [cell["id"] for cell in cells(tmp_path, "# %%\nf()\n\n# %%\nf()\n\n# %%\nf()\n")]

    assert len(set(ids)) == 3


def test_an_id_may_be_written(tmp_path):
    (cell,) = cells(tmp_path, '# %% id="opening" tags=["a"]\nf()\n')

    assert (cell["id"], cell["metadata"]) == ("opening", {"tags": ["a"]})


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('# %% nbgrader={"grade_id": "a b", "solution": true}\n1', r"grade_id must be letters.*got 'a b'"),
        ('# %% nbgrader={"solution": true}\n1', "grade_id must be letters.*got None"),
        ('# %% nbgrader={"grade_id": "a", "grade": true}\n1', "points must be there if.*got None"),
        ('# %% nbgrader={"grade_id": "a", "points": 2}\n1', "points must be there if and only if.*got 2"),
        ('# %% nbgrader={"grade_id": "a", "timeout": 2}\n1', "nbgrader metadata must be among"),
        ('# %% nbgrader={"grade_id": "a", "schema_version": 2}\n1', "schema_version must be 3, got 2"),
        ('# %% nbgrader={"grade_id": "a", "solution": "yes"}\n1', "solution must be true.*got 'yes'"),
        ('# %% nbgrader={"grade_id": "a", "task": true, "points": 1}\n1', "a task must be a markdown cell"),
        ('# %% [markdown] nbgrader={"grade_id": "a", "solution": true}\n# x', "grade and solution together"),
        ("# %%\n### BEGIN SOLUTION\n### END SOLUTION", "SOLUTION must be in a cell marked solution"),
        ("# %%\n### BEGIN HIDDEN TESTS\n### END HIDDEN TESTS", "HIDDEN TESTS must be in a cell marked grade"),
        ("# %%\n### END SOLUTION\n### BEGIN SOLUTION", "must come in pairs, got .'END', 'BEGIN'"),
        ("# %% collapsed=true\n1", "metadata must be nbgrader, autograder, tags or id"),
        ('# %% autograder={"points": 2}\n1', "must be timeout or picture"),
        ('# %% autograder={"timeout": 0}\n1', "timeout must be a positive number of seconds, got 0"),
        ('# %% autograder={"picture": 1}\n1', "picture must be true or false, got 1"),
        ('# %% id="a"\n1\n\n# %% id="a"\n2', "cell 2 .*id must be unique, got 'a'"),
    ],
)
def test_an_error_names_the_file_the_cell_and_what_must_hold(tmp_path, body, message):
    with pytest.raises(BuildError, match=message) as error:
        notebook(write(tmp_path, body))

    assert str(error.value).startswith("01_tiny.py, cell ")


def test_two_cells_with_one_grade_id_are_refused(tmp_path):
    cell = '# %% nbgrader={"grade_id": "f", "solution": true}\nf = 1\n\n'

    with pytest.raises(BuildError, match=r"cell 2 \(f\): grade_id must be unique, got 'f'"):
        notebook(write(tmp_path, cell + cell))


def test_withhold_is_a_list_of_names(tmp_path):
    path = tmp_path / "01_tiny.py"
    path.write_text("# ---\n# jupyter:\n#   autograder:\n#     withhold: posenc\n# ---\n\n# %%\n1\n")

    with pytest.raises(BuildError, match="withhold must be a list of module names, got 'posenc'"):
        notebook(path)


def test_only_lessons_are_built(course):
    (course.source / "helper.py").write_text("x = 1\n")

    assert list(texts(course)) == ["01_tiny"]
    with pytest.raises(BuildError, match="must be one of 01_tiny, got 02_big"):
        build(course, ["02_big"])
