"""Results rows put into a table of a Markdown or LaTeX text, a README or a paper.

The text around the table, and lines in it that do not change, stay byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from goldlens.scoring.results.formats import (
    Key,
    RowsFileError,
    cells,
    header,
    latex,
    latex_line,
    markdown,
    markdown_line,
)
from goldlens.scoring.results.rows import Row

_CI: Final = re.compile(r"[\d.]+% CI")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_RULE: Final = re.compile(r"\s*\|?(\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*")
_END: Final = r"\end{tabular}"
_CLOSING: Final = r"\end{document}"


def merged_markdown(old: str, rows: Sequence[Row]) -> str:
    """The text with the rows in its table, each in place of the one of its key, or at the end.

    The table is the first one with our header outside code fences; where there is none, one is
    put at the end. Raises RowsFileError.
    """
    lines = old.split("\n")
    at = _markdown_header(lines)
    if at is None:
        return _apart(old) + markdown(rows)
    _same_level(_markdown_cells(lines[at]), at, rows)
    stop = at + 2
    while stop < len(lines) and "|" in lines[stop]:
        stop += 1
    found = {k: _checked(_markdown_cells(lines[k]), k) for k in range(at + 2, stop)}
    return _merged(lines, found, stop, rows, lambda row: markdown_line(cells(row)))


def _markdown_header(lines: Sequence[str]) -> int | None:
    """The line with our header. Raises RowsFileError where what follows would be code."""
    fence, opened = "", 0
    for k, line in enumerate(lines):
        if mark := _FENCE.match(line):
            if not fence:
                fence, opened = mark[1], k
            elif mark[1].startswith(fence) and not line.strip(f" {fence[0]}\r"):
                fence = ""
        elif not fence and _is_header(_markdown_cells(line)) and _ruled(lines, k + 1):
            return k
    if fence:
        raise RowsFileError(opened + 1, "this code fence is not closed; close it")
    return None


def _ruled(lines: Sequence[str], k: int) -> bool:
    return k < len(lines) and _RULE.fullmatch(lines[k]) is not None


def _markdown_cells(line: str) -> list[str]:
    """The cells of a line of a table, no longer escaped."""
    line = line.strip()
    found = [""]
    escaped = False
    for character in line.removeprefix("|"):
        if escaped:
            found[-1] += character if not character.isalnum() else f"\\{character}"
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == "|":
            found.append("")
        else:
            found[-1] += character
    if len(found) > 1 and not found[-1]:
        found.pop()
    return [cell.strip() for cell in found]


def merged_latex(old: str, rows: Sequence[Row]) -> str:
    r"""The text with the rows in its tabular, each in place of the one of its key, or at the end.

    The tabular is the first one with our header; where there is none, one is put at the end, or
    before a line `\end{document}`. Raises RowsFileError.
    """
    lines = old.split("\n")
    heads = (k for k, line in enumerate(lines) if _is_header(_latex_cells(line), _untex))
    at = next(heads, None)
    if at is None:
        closing = (k for k, line in enumerate(lines) if line.lstrip().startswith(_CLOSING))
        stop = next(closing, len(lines))
        rest = "\n".join(lines[stop:])
        before = "\n".join(lines[:stop]) + ("\n" if stop and rest else "")
        return _apart(before) + latex(rows) + (f"\n{rest}" if rest else "")
    _same_level([_untex(cell) for cell in _latex_cells(lines[at])], at, rows)
    ends = (k for k, line in enumerate(lines) if k > at and _END in line)
    end_at = next(ends, None)
    if end_at is None:
        raise RowsFileError(at + 1, f"no {_END} after this header; add it")
    found = {
        k: _checked(_latex_cells(lines[k]), k)
        for k in range(at + 1, end_at)
        if r"\\" in lines[k] and "&" in lines[k] and not lines[k].lstrip().startswith("%")
    }
    below = next((k for k in range(at + 1, end_at) if r"\midrule" in lines[k]), at)
    return _merged(lines, found, below + 1, rows, lambda row: latex_line(cells(row)), _latex_cells)


def _latex_cells(line: str) -> list[str]:
    """The cells of a line of a tabular, as they are written."""
    content, _, _ = line.strip().rpartition(r"\\")
    return [cell.strip() for cell in re.split(r"(?<!\\)&", content)]


def _untex(cell: str) -> str:
    return cell.replace(r"\%", "%")


def _is_header(found: Sequence[str], plain: Callable[[str], str] = str) -> bool:
    ours = header(0.95)
    return len(found) == len(ours) and all(
        _CI.fullmatch(plain(cell)) if name == ours[4] else cell == name
        for cell, name in zip(found, ours, strict=True)
    )


def _same_level(found: Sequence[str], at: int, rows: Sequence[Row]) -> None:
    """Raises RowsFileError if the rows' intervals are of another level than the table's."""
    for row in rows:
        ours = header(row.resampling.level)[4]
        if found[4] != ours:
            message = f"this table has the {found[4]}, not the {ours}; name another file"
            raise RowsFileError(at + 1, message)


def _checked(found: list[str], at: int) -> Key:
    """The key of a line of the table. Raises RowsFileError for a line of other than its cells."""
    size = len(header(0.95))
    if len(found) != size:
        message = f"{len(found)} cells where the table's header has {size}; repair the line"
        raise RowsFileError(at + 1, message)
    return tuple(found[:3])


def _merged(
    lines: list[str],
    found: dict[int, Key],
    below: int,
    rows: Sequence[Row],
    written: Callable[[Row], str],
    read: Callable[[str], list[str]] = _markdown_cells,
) -> str:
    """The lines, with rows in place of those with their keys, the others after the last one.

    `below`: before which line rows go if the table has none.
    """
    waiting = {}
    for row in rows:
        line = written(row)
        waiting[tuple(read(line)[:3])] = line
    taken = set(waiting)
    last = max(found, default=below - 1)
    end = "\r" if lines[last].endswith("\r") else ""
    made: list[str] = []
    for k, line in enumerate(lines):
        key = found.get(k)
        if key is None or key not in taken:
            made.append(line)
        elif key in waiting:
            made.append(waiting.pop(key) + ("\r" if line.endswith("\r") else ""))
        if k == last:
            made += [line + end for line in waiting.values()]
            waiting = {}
    return "\n".join(made)


def _apart(text: str) -> str:
    """A text, so that a paragraph can follow it."""
    if not text or text.endswith(("\n\n", "\n\r\n")):
        return text
    return text + ("\n" if text.endswith("\n") else "\n\n")
