"""What nbgrader has to know about this course; `autograder` reads the same file."""

c = get_config()

c.CourseDirectory.course_id = "posenc"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
# nbgrader's own list, and what `autograder grade` leaves beside a graded notebook: it is not for the student.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "report.json"]

# Plain `nbgrader autograde`, and the formgrader's button, grade with our engine in place of Execute.
# The other steps are nbgrader's own.
c.Autograde.autograde_preprocessors = [
    "autograder.course.engine.Execute",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
