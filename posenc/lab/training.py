"""Training: Adam with a warm-up and a cosine, gradients clipped, progress shown, and no run lost.

Changes the parameters of the model that it is given, and nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Protocol

import numpy as np

from posenc.lab.registers import Batch
from posenc.lab.threads import one_thread
from posenc.lab.transformer import Gradients, Transformer

__all__ = ["Run", "Task", "train", "train_all"]

BETA_1, BETA_2, EPSILON = 0.9, 0.98, 1e-8


class Task(Protocol):
    """What a model can be trained on."""

    def batch(self, rng: np.random.Generator, size: int, n: int) -> Batch: ...


@dataclass
class Run:
    """A training run.

    Attributes
    ----------
    losses : list of float
        The loss in nats at each step that was made.
    interrupted : bool
        Whether it was stopped before its last step. The model is trained as far as it came.
    """

    losses: list[float] = field(default_factory=list)
    interrupted: bool = False


def train(
    model: Transformer,
    task: Task,
    *,
    steps: int = 1500,
    batch: int = 32,
    n: int = 32,
    rate: float = 3e-3,
    warm_up: int = 50,
    seed: int = 0,
    progress: bool = True,
    stop: Event | None = None,
) -> Run:
    """Train a model on sequences of `n` tokens.

    Parameters
    ----------
    model : Transformer
        Its parameters are changed.
    task : Task
        Where sequences come from.
    steps, batch, n : int, optional
        Steps to make, sequences a step, tokens a sequence.
    rate : float, optional
        The highest learning rate; it rises for `warm_up` steps and falls like a cosine to a twentieth.
    warm_up, seed : int, optional
        Steps of warm-up; what decides the sequences.
    progress : bool, optional
        Show a bar with the loss.
    stop : Event, optional
        Once it is set, training ends as if it had been stopped.

    Returns
    -------
    Run
        What happened. Stopping the cell (Ctrl-C) ends training and keeps what was learned.

    References
    ----------
    .. [1] Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015, arXiv:1412.6980.
    """
    rng = np.random.default_rng(seed)
    moments = zeros(model), zeros(model)
    run = Run()
    try:
        with one_thread():
            for step in shown(range(1, steps + 1), steps, model.encoding.name, run, progress):
                if stop is not None and stop.is_set():
                    raise KeyboardInterrupt
                loss, back = model.loss(*task.batch(rng, batch, n))
                now = rate * min(step / warm_up, 1) * (0.525 + 0.475 * np.cos(np.pi * step / steps))
                move(model.parameters, clipped(back()), moments, step, now)
                run.losses.append(loss)
    except KeyboardInterrupt:
        run.interrupted = True
    return run


def train_all(
    models: Sequence[Transformer], task: Task, *, workers: int = 2, progress: bool = True, **recipe: Any
) -> list[Run]:
    """Train several models, `workers` of them at a time.

    Parameters
    ----------
    models : sequence of Transformer
        Their parameters are changed.
    task : Task
        Where sequences come from.
    workers : int, optional
        Threads. NumPy lets others go on while it works, so two are quicker than one, though not twice.
    progress : bool, optional
        Show a bar that counts models.
    **recipe
        As for :func:`train`. A `seed` may be a sequence, one for each model.

    Returns
    -------
    list of Run
        One for each model. Stopping the cell ends all, and keeps what they learned.
    """
    seeds = recipe.pop("seed", 0)
    each = [seeds] * len(models) if np.ndim(seeds) == 0 else list(seeds)
    stop = Event()
    with one_thread(), ThreadPoolExecutor(workers) as pool:
        jobs = [
            pool.submit(train, model, task, seed=seed, progress=False, stop=stop, **recipe)
            for model, seed in zip(models, each, strict=True)
        ]
        try:
            for _ in shown(as_completed(jobs), len(jobs), "models trained", Run(), progress):
                pass
        except KeyboardInterrupt:
            stop.set()
        return [job.result() for job in jobs]


def zeros(model: Transformer) -> Gradients:
    """Return a zero for every parameter."""
    return {name: np.zeros_like(value) for name, value in model.parameters.items()}


def clipped(gradients: Gradients) -> Gradients:
    """Shorten the gradients, taken together, to a length of at most 1."""
    length = sum(float(np.vdot(g, g)) for g in gradients.values()) ** 0.5
    return gradients if length <= 1 else {name: g / g.dtype.type(length) for name, g in gradients.items()}


def move(
    parameters: Gradients, gradients: Gradients, moments: tuple[Gradients, Gradients], step: int, rate: float
) -> None:
    """Make one step of Adam: move each number by its mean gradient over the root of its mean square."""
    for name, value in parameters.items():
        g, m, s = gradients[name], moments[0][name], moments[1][name]
        real = value.dtype.type  # numbers of the parameters' own dtype, so that nothing widens
        m += real(1 - BETA_1) * (g - m)
        s += real(1 - BETA_2) * (g * g - s)
        value -= real(rate / (1 - BETA_1**step)) * m / (np.sqrt(s / real(1 - BETA_2**step)) + real(EPSILON))


def shown(each: Iterable[Any], total: int, name: str, run: Run, progress: bool) -> Iterator[Any]:
    """Go through something, with a bar where one is wanted and tqdm is installed."""
    tqdm = bars() if progress else None
    if tqdm is None:
        yield from each
        return
    with tqdm(each, desc=name, total=total, file=sys.stdout, mininterval=0.5) as bar:
        for done in bar:
            yield done
            if run.losses and len(run.losses) % 50 == 0:
                bar.set_postfix(loss=f"{np.mean(run.losses[-50:]):.3f}", refresh=False)


def bars() -> Any:
    """Return tqdm's bar for a notebook or a terminal, or None where it is not installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm
