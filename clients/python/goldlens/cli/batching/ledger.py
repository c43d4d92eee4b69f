"""The ledger of a batch: what has been answered, so that it need not be asked again.

It is a file of JSON lines, the first of which says so. Each answer is appended when it comes and
in one go: whoever ends the batch, or pulls the plug, loses what was under way and nothing else. A
line that was cut off counts for nothing. Answers are named by what they were computed from, so
old ones are never wrong, and deleting the file costs only time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from goldlens.cli.batching.work import Answer
from goldlens.cli.inputs import unreadable
from goldlens.cli.lines import Trouble
from goldlens.scoring.bootstrap import Resampling
from goldlens.scoring.results.rows import Labels, Row

_HEADER: Final = {"goldlens-batch": 1}


@dataclass(slots=True)
class Ledger:
    """The answers in a file, by their ids; those that are added go into the file."""

    path: Path
    _answers: dict[str, Answer]
    _file: IO[bytes]

    def get(self, name: str) -> Answer | None:
        """The answer of an id, None if there is none."""
        return self._answers.get(name)

    def add(self, answer: Answer) -> None:
        """Keeps an answer that has no errors. Raises Trouble."""
        record = {"id": answer.id, "task": answer.task, "rows": answer.rows}
        self._append(record)
        self._answers[answer.id] = answer

    def close(self) -> None:
        """Lets go of the file."""
        self._file.close()

    def _append(self, record: object) -> None:
        _write(self.path, self._file, _line(record))


def opened(path: Path) -> Ledger:
    """The ledger at a path, made if there is none. Raises Trouble where it cannot be kept."""
    try:
        old = path.read_bytes() if path.exists() else b""
        lines = old.split(b"\n")
        if old and _object(lines[0]) != _HEADER:
            message = "this file is no ledger of a batch; name another with --ledger"
            raise Trouble(str(path), "file", message)
        file = path.open("ab", buffering=0)
    except OSError as error:
        trouble = unreadable(str(path), error)
        message = f"{trouble.message.partition(';')[0]}; name another ledger with --ledger"
        raise Trouble(str(path), "file", message) from error
    if not old:
        _write(path, file, _line(_HEADER))
    elif lines[-1]:
        # Cut off: what comes next begins a line of its own.
        _write(path, file, b"\n")
    answers = {answer.id: answer for answer in _answers(lines[1:])}
    return Ledger(path, answers, file)


def _line(record: object) -> bytes:
    text = json.dumps(record, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.encode() + b"\n"


def _write(path: Path, file: IO[bytes], data: bytes) -> None:
    try:
        while data:
            data = data[file.write(data) or 0 :]
    except OSError as error:
        message = f"the ledger cannot be written ({error.strerror}); name another with --ledger"
        raise Trouble(str(path), "file", message) from error


def _object(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _answers(lines: list[bytes]) -> Iterator[Answer]:
    for line in lines:
        match _object(line):
            case {"id": str(name), "task": str(task), "rows": [*records]}:
                if all(_is_row(record) for record in records):
                    yield Answer(name, task, rows=tuple(records))


_KEYS: Final = frozenset(
    Row(Labels(), "", None, None, None, None, None, None, Resampling(), 0).as_dict()
)


def _is_row(record: object) -> bool:
    return isinstance(record, dict) and record.keys() == _KEYS
