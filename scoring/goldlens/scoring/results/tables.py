"""Results rows put into a table of a Markdown or LaTeX text, a README or a paper.

The text around the table, and lines in it that do not change, stay byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
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

_CI: Final = re.compile(r"[\d.]+(e[-+]?\d+)?% CI")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_RULE: Final = re.compile(r"\s*\|?(\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*")
_COMMENT: Final = re.compile(r" {0,3}<!--(?!.*-->)")
_END: Final = re.compile(r"\\end\{[^}]*(tabular|longtable|tblr)[^}]*\}", re.IGNORECASE)
_HEAD: Final = re.compile(r"\\(midrule|end(first)?head|end(last)?foot)\b")
_CLOSING: Final = r"\end{document}"
_LITERAL: Final = re.compile(r"\\begin\{(verbatim\*?|Verbatim|lstlisting|minted|comment)\}")


@dataclass(frozen=True, slots=True)
class _Table:
    """A table with our header: at which line that is, its rows by line, and where new ones go.

    `below` is the line before which rows go if there are none yet.
    """

    at: int
    ci: str
    rows: dict[int, Key]
    below: int


def merged_markdown(old: str, rows: Sequence[Row]) -> str:
    """The text with the rows in its table, each in place of the one of its key, or at the end.

    The table is one with our header, outside code fences and comments; where there is none, one
    is put at the end. Raises RowsFileError.
    """
    lines = old.split("\n")
    tables = list(_markdown_tables(lines))
    if not tables:
        return _apart(old) + markdown(rows)
    return _merged(lines, tables, rows, markdown_line, _markdown_cells)


def _markdown_tables(lines: Sequence[str]) -> Iterator[_Table]:
    """The tables with our header. Raises RowsFileError where what follows would not be seen."""
    fence, opened, stop, seen = "", 0, 0, False
    for k, line in enumerate(lines):
        if k < stop:
            continue
        if fence == "<!--":
            fence = "" if "-->" in line else fence
        elif mark := _FENCE.match(line):
            if not fence:
                fence, opened = mark[1], k
            elif mark[1].startswith(fence) and not line.strip(f" {fence[0]}\r"):
                fence = ""
        elif not fence and _COMMENT.match(line):
            fence, opened = "<!--", k
        elif not fence and _is_header(_markdown_cells(line)) and _ruled(lines, k + 1):
            stop = k + 2
            while stop < len(lines) and "|" in lines[stop]:
                stop += 1
            found = {n: _checked(_markdown_cells(lines[n]), n) for n in range(k + 2, stop)}
            seen = True
            yield _Table(k, _markdown_cells(line)[4], found, stop)
    if fence and not seen:
        what = "comment" if fence == "<!--" else "code fence"
        raise RowsFileError(opened + 1, f"this {what} is not closed; close it")


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

    The tabular is one with our header; where there is none, one is put at the end, or before a
    line `\end{document}`. Raises RowsFileError.
    """
    lines = old.split("\n")
    tables = list(_latex_tables(lines))
    if not tables:
        closing = (k for k, line in enumerate(lines) if line.lstrip().startswith(_CLOSING))
        stop = next(closing, len(lines))
        rest = "\n".join(lines[stop:])
        before = "\n".join(lines[:stop]) + ("\n" if stop and rest else "")
        return _apart(before) + latex(rows) + (f"\n{rest}" if rest else "")
    return _merged(lines, tables, rows, latex_line, _latex_cells)


def _latex_tables(lines: Sequence[str]) -> Iterator[_Table]:
    """The tabulars with our header. Raises RowsFileError for one that does not end."""
    literal, stop = "", 0
    for k, line in enumerate(lines):
        if k < stop:
            continue
        if literal:
            literal = "" if literal in line else literal
        elif begun := _LITERAL.match(line.lstrip()):
            literal = f"\\end{{{begun[1]}}}"
        elif _is_header(_latex_cells(line), _untex):
            stop = next((n for n in range(k + 1, len(lines)) if _END.search(lines[n])), 0)
            if not stop:
                raise RowsFileError(k + 1, r"no \end{tabular} after this header; add it")
            found = {
                n: _checked(_latex_cells(lines[n]), n) for n in _latex_rows(lines, k + 1, stop)
            }
            heads = [n for n in range(k + 1, stop) if _HEAD.search(lines[n])]
            yield _Table(k, _untex(_latex_cells(line)[4]), found, max(heads, default=k) + 1)


def _latex_rows(lines: Sequence[str], start: int, stop: int) -> Iterator[int]:
    """Those lines that are rows; a longtable has its header once more."""
    for k in range(start, stop):
        line = lines[k]
        written = r"\\" in line and "&" in line and not line.lstrip().startswith("%")
        if written and not _is_header(_latex_cells(line), _untex):
            yield k


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


def _checked(found: list[str], at: int) -> Key:
    """The key of a line of the table. Raises RowsFileError for a line of other than its cells."""
    size = len(header(0.95))
    if len(found) != size:
        message = f"{len(found)} cells where the table's header has {size}; repair the line"
        raise RowsFileError(at + 1, message)
    return tuple(found[:3])


def _merged(
    lines: list[str],
    tables: Sequence[_Table],
    rows: Sequence[Row],
    written: Callable[[Iterable[str]], str],
    read: Callable[[str], list[str]],
) -> str:
    """The lines, with rows in place of those with their keys, the others after the last one.

    A row goes into the table that has its key, or else into the first one for intervals of its
    level. Raises RowsFileError where two tables have the key, or none is of the level.
    """
    new: dict[int, dict[Key, str]] = {}
    for row in rows:
        line = written(cells(row))
        key = tuple(read(line)[:3])
        new.setdefault(_table_for(tables, key, header(row.resampling.level)[4]), {})[key] = line
    made: list[str] = []
    done = 0
    for number, waiting in sorted(new.items()):
        table = tables[number]
        taken = set(waiting)
        last = max(table.rows, default=table.below - 1)
        indent = re.match(r"[ \t]*", lines[table.at])
        begin, end = indent[0] if indent else "", "\r" if lines[last].endswith("\r") else ""
        for k in range(done, last + 1):
            key_here = table.rows.get(k)
            if key_here is None or key_here not in taken:
                made.append(lines[k])
            elif key_here in waiting:
                own = "\r" if lines[k].endswith("\r") else ""
                made.append(begin + waiting.pop(key_here) + own)
        made += [begin + line + end for line in waiting.values()]
        done = last + 1
    return "\n".join([*made, *lines[done:]])


def _table_for(tables: Sequence[_Table], key: Key, ci: str) -> int:
    """The number of the table that a row goes into. Raises RowsFileError."""
    fitting = [n for n, table in enumerate(tables) if table.ci == ci]
    if not fitting:
        message = f"this table has the {tables[0].ci}, not the {ci}; name another file"
        raise RowsFileError(tables[0].at + 1, message)
    having = [n for n in fitting if key in tables[n].rows.values()]
    if len(having) > 1:
        said = ", ".join(part for part in key if part)
        message = f"a second table has the row {said}; give each table a file of its own"
        raise RowsFileError(tables[having[1]].at + 1, message)
    return [*having, *fitting][0]


def _apart(text: str) -> str:
    """A text, so that a paragraph can follow it."""
    if not text or text.endswith(("\n\n", "\n\r\n")):
        return text
    return text + ("\n" if text.endswith("\n") else "\n\n")
