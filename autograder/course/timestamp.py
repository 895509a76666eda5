"""When a submission was handed in, as ``timestamp.txt`` in its folder says.

The file comes with the submission, so nothing in it is trusted to be a date, or the file to be a file.
"""

from __future__ import annotations

import datetime
import stat
from pathlib import Path

from dateutil import parser, tz

FILE = "timestamp.txt"


def read(folder: Path) -> datetime.datetime | None:
    """Return the date in `folder` as nbgrader keeps it, naive and in UTC, or None if there is no file.

    An offset such as ``+0100`` is hours and minutes, where nbgrader 0.9.6 takes it for seconds. What is not a
    date counts as handed in when the file was written: nobody is early by writing nonsense.
    """
    path = folder / FILE
    try:
        status = path.lstat()
    except OSError:
        return None
    written = datetime.datetime.fromtimestamp(status.st_mtime, datetime.UTC)
    if not stat.S_ISREG(status.st_mode):
        return naive(written)
    try:
        with path.open("rb") as file:
            text = file.read(100).decode().strip()
        return naive(parser.parse(text, tzinfos=_zone)) if text else None
    except (OSError, ValueError, OverflowError):
        return naive(written)


def naive(moment: datetime.datetime) -> datetime.datetime:
    """Return `moment` in UTC and without a zone; what has none is in UTC already."""
    return moment if moment.tzinfo is None else moment.astimezone(datetime.UTC).replace(tzinfo=None)


def _zone(name: str | None, offset: int | None) -> datetime.tzinfo | None:
    if offset is not None:
        return datetime.timezone(datetime.timedelta(seconds=offset))
    zone: datetime.tzinfo | None = tz.gettz(name)
    return zone
