"""Real daemons of a small workspace, and raw connections to them.

Tests that do not end their daemon share one, which must have no traceback in its log in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.session import Daemon, Rpc, until

GOLD = """\
# sent_id = s1
1\tWe\twe\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tlike\tlike\tVERB\t_\t_\t0\troot\t_\t_
3\ttea\ttea\tNOUN\t_\t_\t2\tobj\t_\t_

# sent_id = s2
1\tYou\tyou\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tnap\tnap\tVERB\t_\t_\t0\troot\t_\t_

"""

CONFIG = '[[pair]]\ngold = "gold.conllu"\npred = "runs/*.conllu"\n'


@dataclass(frozen=True)
class Work:
    """A folder with gold.conllu, which the configuration lets runs/*.conllu face.

    In one.conllu the head of "tea" is wrong: LAS 4/5. two.conllu is as gold. aside.conllu is as
    one.conllu, and nothing names it.
    """

    folder: Path
    gold: str = GOLD
    wrong: str = GOLD.replace("NOUN\t_\t_\t2", "NOUN\t_\t_\t1")

    def make(self) -> Work:
        for name, text in {
            "goldlens.toml": CONFIG,
            "gold.conllu": self.gold,
            "runs/one.conllu": self.wrong,
            "runs/two.conllu": self.gold,
            "aside.conllu": self.wrong,
        }.items():
            path = self.folder / name
            path.parent.mkdir(exist_ok=True, parents=True)
            path.write_text(text, "utf-8", newline="\n")
        return self

    def path(self, name: str) -> Path:
        return self.folder / name

    def uri(self, name: str) -> str:
        return self.path(name).as_uri()

    @property
    def one(self) -> str:
        return self.uri("runs/one.conllu")

    @property
    def two(self) -> str:
        return self.uri("runs/two.conllu")

    @property
    def aside(self) -> str:
        return self.uri("aside.conllu")


Start = Callable[..., Daemon]
Connect = Callable[..., Rpc]


@pytest.fixture
def work(tmp_path: Path) -> Work:
    """A workspace of the test's own."""
    return Work(tmp_path / "work").make()


@pytest.fixture
def start(tmp_path: Path, work: Work) -> Iterator[Start]:
    """Starts daemons, of `work` if nobody says otherwise; they are killed in the end."""
    begun: list[Daemon] = []

    def begin(*arguments: str, root: Path = work.folder, ready: bool = True, **more: Any) -> Daemon:
        begun.append(Daemon(root, tmp_path, *arguments, **more))
        if ready:
            begun[-1].wait_for_state()
        return begun[-1]

    yield begin
    for daemon in begun:
        daemon.kill()
    for daemon in begun:
        assert "Traceback" not in daemon.said(), daemon.said()


@pytest.fixture(scope="session")
def common_work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    """The workspace of the daemon that tests share; they leave it as it is."""
    return Work(tmp_path_factory.mktemp("daemon") / "work").make()


@pytest.fixture(scope="session")
def common(common_work: Work) -> Iterator[Daemon]:
    """The daemon that tests share. One that reads nothing for a second is cut off."""
    daemon = Daemon(common_work.folder, common_work.folder.parent, "--patience", "1")
    daemon.wait_for_state()
    yield daemon
    status = daemon.end()
    assert (status, daemon.file("json").exists()) == (0, False)
    assert "Traceback" not in daemon.said(), daemon.said()


@pytest.fixture
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Connects to a daemon, the common one if nobody says otherwise, and says hello."""
    begun: list[Rpc] = []

    def begin(daemon: Daemon | None = None, greet: str | bool = True) -> Rpc:
        daemon = daemon or request.getfixturevalue("common")
        begun.append(Rpc(daemon.dial(), greet=greet))
        return begun[-1]

    yield begin
    for session in begun:
        session.close()
        session.check()


@pytest.fixture
def rpc(connect: Connect) -> Rpc:
    """A connection to the common daemon that has said hello."""
    return connect()


@pytest.fixture
def witness(common: Daemon, common_work: Work) -> Iterator[None]:
    """Somebody else, who must notice nothing of what a test does to the daemon."""
    other = Rpc(common.dial())
    before = other.call("goldlens.score", uri=common_work.one)["metrics"]
    connections = other.call("status")["connections"]
    yield
    assert other.call("goldlens.score", uri=common_work.one)["metrics"] == before
    until(lambda: other.call("status")["connections"] <= connections)
    assert common.process.poll() is None
    assert "Traceback" not in common.said(), common.said()
    other.close()
    other.check()
