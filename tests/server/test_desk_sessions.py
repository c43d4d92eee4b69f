"""Sessions at random: whatever happened, all is as if the documents were opened a moment ago."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Final

import pytest

from goldlens.server.engine.positions import Encoding
from goldlens.server.sources import uri_of
from goldlens.server.workspace import Workspace

PIECES: Final = {
    "span": ["Ada\tB-PER\n", "saw\tO\n", "Oslo\tI-LOC\n", "\n", "x y\n", "a b B-X\n", "O\n"],
    "classification": [
        "d1\ta\n", "d2\tb\n", "d1\tb\n", "id\tlabel\n", "\n", "d4\n", '{"id":"d1","label":"a"}\n',
        '{"id":"d3","scores":{"a":0.6,"b":1.2}}\n',
    ],
    "stemming": ["walk\twalks\n", "sing\tsings\tsung\n", "walks\twalk\n", "\n", "Walk\twalk\n"],
    "ud": [
        "# sent_id = a\n1\tA\ta\tX\t_\t_\t0\troot\t_\t_\n\n", "\n",
        "1\tA\ta\tX\t_\t_\t2\tdep\t_\t_\n2\tB\tb\tY\t_\t_\t0\troot\t_\t_\n\n",
    ],
}  # fmt: skip
FILES: Final = ("truth.txt", "a.txt", "b.txt")


class Play:
    """One session, and what it has open."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.dice = folder, random.Random(seed)
        self.task = self.dice.choice(list(PIECES))
        self.texts: dict[str, str] = {}
        for name in FILES:
            self.write(name)
        self.configure()
        self.workspace = Workspace(folder)

    def uri(self, name: str) -> str:
        return uri_of(self.folder / name)

    def write(self, name: str) -> None:
        text = "".join(self.dice.choice(PIECES[self.task]) for _ in range(self.dice.randrange(8)))
        (self.folder / name).write_text(text, "utf-8", newline="")

    def configure(self) -> None:
        """A task and a gold for each prediction, and what it is read with."""
        choose = self.dice.choice
        text = ""
        for pred, golds in (("a.txt", ["truth.txt"]), ("b.txt", ["truth.txt", "a.txt"])):
            task = choose([self.task, self.task, *PIECES])
            more = choose(["", "threshold = 0.7", "tag-column = 2", 'match = "sent_id"'])
            text += (
                f'[[pair]]\ngold = "{choose(golds)}"\npred = "{pred}"\ntask = "{task}"\n{more}\n'
            )
        (self.folder / "goldlens.toml").write_text(text, "utf-8")

    def step(self) -> None:
        name = self.dice.choice(FILES)
        what = self.dice.choice(["open", "close", "config", "settings", "disk", *["edit"] * 5])
        if what == "open" or (what == "edit" and name not in self.texts):
            self.texts[name] = (self.folder / name).read_bytes().decode()
            self.workspace.open(self.uri(name), self.texts[name], 1)
        elif what == "close":
            self.texts.pop(name, None)
            self.workspace.close(self.uri(name))
        elif what == "config":
            self.configure()
            self.workspace.files_changed([self.uri("goldlens.toml")])
        elif what == "settings":
            self.workspace.configure({"maxProblems": self.dice.randint(100, 300)})
        elif what == "disk":
            self.write(name)
            self.workspace.files_changed([self.uri(name)])
        else:
            self.edit(name)

    def edit(self, name: str) -> None:
        lines = self.texts[name].split("\n")
        line = self.dice.randrange(len(lines))
        last = min(len(lines) - 1, line + self.dice.choice([0, 0, 1]))
        start = self.dice.randint(0, len(lines[line]))
        end = self.dice.randint(start if last == line else 0, max(start, len(lines[last])))
        end = min(end, len(lines[last]))
        text = self.dice.choice([*PIECES[self.task], "", "B-", "\t", "x"])
        where = {
            "start": {"line": line, "character": start}, "end": {"line": last, "character": end},
        }  # fmt: skip
        change = {"range": where, "text": text}
        self.workspace.change(self.uri(name), 2, [change], Encoding.UTF16)
        kept = [*lines[:line], lines[line][:start] + text + lines[last][end:], *lines[last + 1 :]]
        self.texts[name] = "\n".join(kept)

    def check(self) -> None:
        fresh = Workspace(self.folder)
        for name, text in self.texts.items():
            fresh.open(self.uri(name), text, 1)
        for name, text in self.texts.items():
            assert self.workspace.document(self.uri(name)).text().decode() == text
            assert self.shown(self.workspace, name) == self.shown(fresh, name)

    def shown(self, workspace: Workspace, name: str) -> tuple[object, object]:
        uri = self.uri(name)
        scores: Any = workspace.scores(uri)
        kept = {} if scores is None else {**scores}
        for key in ("since_open", "since_save", "version", "gold", "pred"):
            kept.pop(key, None)
        problems = [
            (found.problem.code, found.line, found.problem.message)
            for found in workspace.listing(uri, None).shown
        ]
        return json.dumps(kept, sort_keys=True), sorted(problems)


@pytest.mark.parametrize("seed", range(40))
def test_all_is_as_if_opened_a_moment_ago(tmp_path: Path, seed: int) -> None:
    play = Play(tmp_path, seed)
    for _ in range(20):
        play.step()
        play.check()
