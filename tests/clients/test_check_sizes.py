"""Files of unusual size: `goldlens check` says all there is to say, in reasonable time."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.clients.rows import row, write

pytestmark = pytest.mark.usefixtures("folder")


def codes(result: Any) -> list[str]:
    """The codes of the text form, in order."""
    return [line.partition("[")[2].partition("]")[0] for line in result.stdout.splitlines()]


def timed(run: Any, *args: object) -> Any:
    """Runs a check that must not take longer than anybody would wait."""
    started = time.perf_counter()
    result = run("check", *args)
    assert time.perf_counter() - started < 20
    return result


def test_empty_files(run: Any) -> None:
    write("e.conllu", "")
    assert timed(run, "--no-gold", "e.conllu").stderr.endswith("no problems in 1 file\n")
    assert timed(run, "--gold", "e.conllu", "g.conllu").exit_code in (0, 1)
    assert codes(timed(run, "--gold", "g.conllu", "e.conllu")) != []


def test_eleven_thousand_words_in_one_sentence(run: Any) -> None:
    size = 11_000
    write("l.gold.conllu", "".join(row(n, n - 1, "é") for n in range(1, size + 1)) + "\n")
    text = "".join(row(n, max(0, n - 2) or n - 1, "é") for n in range(1, size + 1))
    write("l.pred.conllu", text + "\n")
    found = codes(timed(run, "l.pred.conllu"))
    # Words 1 and 2 have gold's heads.
    assert found == ["las-error"] * (size - 2)
    write("l.pred.conllu", "".join(row(n, n % size + 1, "é") for n in range(1, size + 1)) + "\n")
    assert codes(timed(run, "l.pred.conllu")) == ["head-cycle"]


def test_a_hundred_thousand_errors_are_all_listed(run: Any) -> None:
    write("m.conllu", ("".join(row(n, 99) for n in range(1, 11)) + "\n") * 10_000)
    result = timed(run, "m.conllu")
    lines = result.stdout.splitlines()
    assert len(lines) == 100_000
    assert lines[-1].startswith("m.conllu:109999:17: error[head-out-of-range]: ")
    assert result.stderr.startswith("100,000 errors in 1 file")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x" * 10_000_000 + "\n\n", ["column-count"]),
        ("# " + "y" * 10_000_000 + "\n" + row(1, 0) + "\n", []),
        (row(1, 0, upos="é" * 5_000_000) + "\n", ["upos-unknown"]),
    ],
    ids=["row", "comment", "cell"],
)
def test_a_line_of_ten_megabytes(run: Any, text: str, found: list[str]) -> None:
    write("w.conllu", text)
    result = timed(run, "w.conllu")
    assert codes(result) == found
    assert len(result.stdout) < 1000


def test_many_problems_in_one_long_line(run: Any) -> None:
    features = "|".join(f"é{n}" for n in range(5_000))
    write("f.conllu", row(1, 0).replace("NOUN\t_\t_", f"NOUN\t_\t{features}") + "\n")
    found = json.loads(timed(run, "--format", "json", "f.conllu").stdout)
    for problem in found:
        cell = Path("f.conllu").read_text("utf-8").split("\n")[0]
        here = cell[problem["column"] - 1 : problem["end_column"] - 1]
        assert here.split("|")[0].startswith("é")
    assert found
