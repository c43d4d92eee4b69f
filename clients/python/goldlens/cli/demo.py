"""`goldlens demo`: the main things on a small corpus, explained as it runs."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text as Styled

from goldlens.cli import formats, inputs, table
from goldlens.cli.check import Checker
from goldlens.cli.demo_edits import Edit, edits
from goldlens.cli.editor import Editor, EditorError
from goldlens.cli.lines import Trouble, counted, one_line
from goldlens.cli.score import evaluation
from goldlens.cli.summary import summary
from goldlens.scoring.problems import Severity
from goldlens.server.findings import Finding

GOLD: Final = "gold/garden.conllu"
SOUND: Final = "runs/alpha/garden.conllu"
FAULTY: Final = "runs/beta/garden.conllu"
_SHOWN: Final = 8
_STYLES: Final = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "yellow",
    Severity.INFORMATION: "blue",
    Severity.HINT: "dim",
}


@click.command(name="demo")
@click.option("--folder", metavar="PATH", help="The folder of the corpus; else examples/ is found.")
@click.option("--no-edit", is_flag=True, help="Leave out the part with the live editor.")
def command(folder: str | None, no_edit: bool) -> int:
    """Shows the main things on the corpus in examples/, and explains them as it goes.

    Nothing in the folder is written.
    """
    corpus = _corpus(folder)
    show = Show()
    show.title("Goldlens holds predictions against gold, and shows where they go wrong.")
    show.say(f"The corpus: {_short(corpus)}, fifteen sentences in nine languages, and the output")
    show.say("of two invented parsers: alpha, which is sound, and beta, with a fault a sentence.")
    _score(show, corpus)
    _problems(show, corpus)
    if not no_edit:
        _edit(show, corpus)
    show.title("Your own files")
    show.say("  goldlens score GOLD PRED     what you have just seen, for any pair")
    show.say("  goldlens check FILE…         all problems; where gold is: docs/guide/pairing.md")
    show.say("  goldlens rows TASK …         rows for a table, with intervals: docs/guide/")
    show.say("  goldlens lsp                 what your editor starts: docs/guide/editors.md")
    show.say("“goldlens” is in .venv/bin here: “. .venv/bin/activate” puts it on your path.", "dim")
    return 0


class Show:
    """What is printed: in colour on a terminal, plain text elsewhere."""

    def __init__(self) -> None:
        self.console = Console(highlight=False, soft_wrap=True, markup=False, emoji=False)

    def title(self, text: str) -> None:
        """A heading."""
        self.say(f"\n{text}", "bold")

    def say(self, text: str = "", style: str = "") -> None:
        """A line."""
        self.console.print(Styled(text, style=style, no_wrap=True), overflow="ignore", crop=False)

    def command(self, text: str) -> None:
        """A command, as one would type it."""
        self.say(f"$ goldlens {text}", "bold cyan")


def _score(show: Show, corpus: Path) -> None:
    show.title("1. Score")
    gold, pred = str(corpus / GOLD), str(corpus / SOUND)
    show.command(f"score {_short(corpus / GOLD)} {_short(corpus / SOUND)}")
    theirs, ours = inputs.open_both(gold, pred)
    with theirs.file, ours.file:
        found = evaluation(theirs, ours)
    if show.console.is_terminal:
        table.show(show.console, table.of_figures(found.figures()), "alpha against gold")
    else:
        show.say(table.plain(table.of_figures(found.figures())))
    for line in summary(found):
        show.say(line)


def _problems(show: Show, corpus: Path) -> None:
    show.title("2. Find out why: what an editor underlines in beta")
    file = str(corpus / FAULTY)
    show.say(f"(“goldlens check {_short(corpus / FAULTY)}” lists the same, a line each)", "dim")
    found = list(Checker(None, use_gold=True).check(file))
    rows = (corpus / FAULTY).read_text("utf-8").split("\n")
    for finding in found[:_SHOWN]:
        underline(show, finding, rows[finding.at.line - 1])
    if len(found) > _SHOWN:
        show.say(f"… and {len(found) - _SHOWN} more.")
    show.say(formats.summary(Counter(each.severity for each in found), 1), "bold")


def underline(show: Show, finding: Finding, row: str) -> None:
    """A line with the cell of a problem underlined, and the message below it."""
    at, style = finding.at, _STYLES[finding.severity]
    before, cell = row[: at.column - 1], row[at.column - 1 : at.end_column - 1]
    margin = f"{at.line:>5} │ "
    line = Styled(margin, style="dim")
    line.append(_spread(before))
    line.append(_spread(cell), style=style)
    line.append(_spread(row[at.end_column - 1 :]))
    show.console.print(line, no_wrap=True, overflow="ignore", crop=False)
    indent = " " * (len(margin) - 2) + "│ " + " " * cell_len(_spread(before))
    show.say(f"{indent}{'^' * max(1, cell_len(_spread(cell)))}", style)
    message = f"{finding.severity.label}[{finding.code}]: {one_line(finding.message)}"
    show.say(" " * (len(margin) - 2) + f"│ {message}", style)


def _spread(text: str) -> str:
    # A tab is as wide as a terminal likes; two spaces are always two.
    return one_line(text.replace("\t", "  "))


def _edit(show: Show, corpus: Path) -> None:
    show.title("3. Repair it: beta in an editor, live")
    show.say("A real “goldlens lsp” runs now, and this demo types into it as an editor does.")
    text = (corpus / FAULTY).read_text("utf-8")
    gold = (corpus / GOLD).read_text("utf-8")
    try:
        with Editor() as editor:
            editor.start(corpus)
            opened = editor.open(corpus / FAULTY, text)
            show.say(f"opened: {_state(editor)}; shown after {_ms(opened)}")
            for edit in edits(text, gold, editor.problems):
                _play(show, editor, edit)
            status = editor.stop()
    except EditorError as error:
        raise Trouble(str(corpus / FAULTY), "lsp", f"{error}; see docs/guide/editors.md") from error
    show.say(f"The server has ended, with status {status}. No file was changed.")


def _play(show: Show, editor: Editor, edit: Edit) -> None:
    before = _codes(editor.problems)
    taken = sum(editor.type(*change) for change in edit.changes)
    after = _codes(editor.problems)
    show.say(f"\n{edit.title}", "bold")
    for line in edit.seen:
        show.say(f"    {line}", "dim")
    show.say(f"    {_state(editor)}; from didChange to publishDiagnostics {_ms(taken)}")
    gone, new = before - after, after - before
    if gone:
        show.say(f"    gone: {_listed(gone)}", "green")
    if new:
        show.say(f"    new: {_listed(new)}", "red")
    show.say(f"    {edit.explained}")


def _state(editor: Editor) -> str:
    """LAS, its change since the document was opened, and how many problems there are."""
    las = (editor.scores.get("metrics") or {}).get("LAS")
    figure = "LAS n/a"
    if las is not None:
        change = (editor.scores.get("since_open") or {}).get("LAS")
        figure = f"LAS {las['f1']:.2f}"
        figure += f" ({change:+.2f} since open)" if change else ""
    compared = (editor.scores.get("covered") or {}).get("compared")
    covered = "" if compared is None else f", {counted(compared, 'sentence')} compared"
    return f"{figure}{covered}, {counted(len(editor.problems), 'problem')}"


def _codes(problems: Sequence[dict[str, Any]]) -> Counter[str]:
    return Counter(str(problem.get("code")) for problem in problems)


def _listed(codes: Counter[str]) -> str:
    return ", ".join(f"{code} {number}" for code, number in sorted(codes.items()))


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def _corpus(named: str | None) -> Path:
    """The folder of the corpus. Raises Trouble."""
    if named is not None:
        folder = Path(named).absolute()
        if not _is_corpus(folder):
            message = f"the folder has not all of {GOLD}, {SOUND} and {FAULTY}; name another"
            raise Trouble(named, "file", message)
        return folder
    candidates = [Path.cwd() / "examples", Path(__file__).parents[4] / "examples"]
    if (spec := importlib.util.find_spec("goldlens")) and spec.submodule_search_locations:
        candidates += [Path(root) / "examples" for root in spec.submodule_search_locations]
    for candidate in candidates:
        if _is_corpus(candidate):
            return candidate
    message = "there is no folder examples/ here; name the one of the sources with --folder"
    raise Trouble("examples", "file", message)


def _is_corpus(folder: Path) -> bool:
    return all((folder / name).is_file() for name in (GOLD, SOUND, FAULTY))


def _short(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
