"""Results rows put into a JSON or CSV file that has some already."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn, TypeVar

from goldlens.scoring.results.formats import (
    FIELDS,
    Key,
    RowsFileError,
    as_csv,
    as_json,
    csv_text,
    flat,
)
from goldlens.scoring.results.rows import Row

KEY: Final = ("component", "language", "dataset", "metric")

R = TypeVar("R", bound=Mapping[str, Any])

_BOM: Final = "\ufeff"


def merged_json(old: str, rows: Sequence[Row]) -> str:
    """The file with the rows in it, each in the place of the one of its key, or at the end.

    Objects that are not replaced stay as they are written. Raises RowsFileError.
    """
    bom = _BOM if old.startswith(_BOM) else ""
    text = old.removeprefix(_BOM)
    if not text.strip():
        return bom + as_json(rows)
    try:
        found = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        message = f"the file is no JSON ({error.msg}); repair it, or name another file"
        raise RowsFileError(error.lineno, message) from error
    except (ValueError, RecursionError) as error:
        message = f"the file is no JSON ({error}); repair it, or name another file"
        raise RowsFileError(1, message) from error
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise RowsFileError(1, "the file is no list of rows; name another file")
    if not found:
        return bom + as_json(rows)
    return bom + _spliced(text, found, rows)


def _spliced(text: str, found: Sequence[Mapping[str, Any]], rows: Sequence[Row]) -> str:
    """The text of a list with objects in it, with the rows put in, laid out as those are."""
    starts, stops = [], []
    begin = at = text.index("[") + 1
    scan = json.JSONDecoder().raw_decode
    for _ in found:
        starts.append(text.index("{", at))
        at = scan(text, starts[-1])[1]
        stops.append(at)
    first = text[begin : starts[0]]
    between = text[stops[-2] : starts[-1]] if len(starts) > 1 else "," + first
    waiting = {}
    for row in rows:
        new = row.as_dict()
        waiting[_key(new)] = _laid_out(new, between)
    taken = set(waiting)
    made = text[: starts[0]]
    for k, record in enumerate(found):
        key = _key(record)
        if key in taken and key not in waiting:
            continue
        made += text[stops[k - 1] : starts[k]] if k else ""
        made += waiting.pop(key) if key in taken else text[starts[k] : stops[k]]
    return made + "".join(between + each for each in waiting.values()) + text[stops[-1] :]


def _laid_out(record: Mapping[str, Any], between: str) -> str:
    """A row as an object that stands where objects are separated so: on lines, or on one."""
    if "\n" not in between:
        return json.dumps(record, ensure_ascii=False, allow_nan=False)
    written = json.dumps(record, ensure_ascii=False, allow_nan=False, indent=2)
    line_end = "\r\n" if "\r\n" in between else "\n"
    return written.replace("\n", line_end + between.rpartition("\n")[2])


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON's")


def merged_csv(old: str, rows: Sequence[Row]) -> str:
    """The file with the rows in it, each in the place of the one of its key, or at the end.

    Columns stay as they are; those that are missing are added. Raises RowsFileError.
    """
    if not old.strip():
        return as_csv(rows)
    bom = _BOM if old.startswith(_BOM) else ""
    text = old.removeprefix(_BOM)
    line_end = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    records: list[dict[str, str]] = []
    try:
        fields = next(reader)
        if not set(KEY) <= set(fields) or len(set(fields)) < len(fields):
            message = f"the file has no header with {', '.join(KEY)}; name another file"
            raise RowsFileError(1, message)
        for record in reader:
            if len(record) not in (0, len(fields)):
                message = f"{len(record)} cells where the header has {len(fields)}; repair the row"
                raise RowsFileError(reader.line_num, message)
            if record:
                records.append(dict(zip(fields, record, strict=True)))
    except csv.Error as error:
        message = f"the file is no CSV ({error}); repair it, or name another file"
        raise RowsFileError(max(1, reader.line_num), message) from error
    fields += [name for name in FIELDS if name not in fields]
    return bom + csv_text(fields, replaced(records, [flat(row) for row in rows]), line_end)


def replaced(old: Sequence[R], new: Sequence[R]) -> list[R]:
    """The old records, those with the key of a new one replaced by it, and the other new ones."""
    waiting = {_key(record): record for record in new}
    taken = set(waiting)
    found = []
    for record in old:
        key = _key(record)
        if key not in taken:
            found.append(record)
        elif key in waiting:
            found.append(waiting.pop(key))
    return [*found, *waiting.values()]


def _key(record: Mapping[str, Any]) -> Key:
    # What an empty cell is in CSV may be null in somebody's JSON.
    return tuple(str(record.get(name) or "") for name in KEY)
