"""What the prose of lesson 6 claims in numbers, computed."""

LESSON = "06_rotary"


def test_the_check_on_arrays_prints_what_the_lesson_text_says(lesson, capsys):
    exec(lesson.source["check_on_arrays"], lesson.solved())
    said = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[1] for line in said] == ["-1.4680", "-1.8122", "-1.8122", "-1.8122"]


def test_what_the_prose_claims_of_half_precision_holds(lesson):
    namespace = lesson.solved()
    exec(lesson.source["staircase_picture"], namespace)
    stored = namespace["to_bfloat16"](range(256, 263))
    assert stored.tolist() == [256, 256, 258, 260, 260, 260, 262]
    assert [float(namespace["np"].float16(p)) for p in (2049, 2050)] == [2048, 2050]


def test_what_the_prose_claims_of_wavelengths_holds(lesson):
    namespace = lesson.solved()
    exec(lesson.source["wavelength_picture"], namespace)
    wavelengths = 2 * namespace["np"].pi / namespace["theta"]
    assert (wavelengths < 512).sum() == 16 and len(wavelengths) == 32


def test_what_the_prose_claims_of_decay_holds(lesson):
    namespace = lesson.solved()
    exec(lesson.source["spread"], namespace)
    assert all(abs(namespace["spread"](r) - 1) < 0.05 for r in (0, 10, 100, 1000))
    exec(lesson.source["fade_picture"], namespace)
    bound = namespace["bound"] / namespace["bound"][0]
    equal = namespace["phase"].real.mean(axis=1)
    assert equal[0] == bound[0] == 1 and equal[-1] < 0.4 and bound[-1] < 0.4
