"""Which part may import which: held on the source of every file, whatever runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
ROOTS = [REPOSITORY / name for name in ("scoring", "server", "clients/python")]

PARTS = {
    "scoring": set(),
    "client": set(),
    "server": {"scoring"},
    "cli": {"client", "server", "scoring"},
}
"""What each part may import, besides itself."""

GROUND = {"problems", "text", "counts"}
"""The lowest floor of scoring: these import nothing of goldlens but one another."""

TASKS = {"ud", "spans", "classification", "stemming"}
"""The tasks of scoring stand side by side and know nothing of each other."""

ABOVE = {"analysis", "results", "perturb", "docs"}
"""What looks at tasks: they know nothing of it."""


def imports(module: str, is_package: bool, source: str) -> Iterator[str]:
    """The dotted names that `source` imports anywhere in it, `from` names included."""
    package = module if is_package else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*(above if node.level else []), *filter(None, [node.module])])
                yield from (f"{base}.{alias.name}" for alias in node.names)


def forbidden(module: str, imported: str) -> bool:
    """Whether `module` must not import `imported`; both are dotted names."""
    importer, target = (f"{name}..".split(".")[:3] for name in (module, imported))
    if importer[0] != "goldlens" or target[0] != "goldlens":
        return False
    if target[1] == "":
        return True  # the namespace itself holds nothing
    if importer[1] != target[1]:
        return target[1] not in PARTS[importer[1]]
    if importer[1] != "scoring" or importer[2] == target[2]:
        return False
    if importer[2] in GROUND:
        return target[2] not in GROUND
    return importer[2] in TASKS and target[2] in TASKS | ABOVE


def violations(root: Path) -> list[str]:
    """Every import under an import root that breaks a rule, as `MODULE imports NAME`."""
    found = []
    for file in sorted(root.glob("goldlens/**/*.py")):
        module = ".".join(file.relative_to(root).with_suffix("").parts)
        module = module.removesuffix(".__init__")
        names = imports(module, file.name == "__init__.py", file.read_text("utf-8"))
        found += [f"{module} imports {name}" for name in names if forbidden(module, name)]
    return found


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.name)
def test_imports_go_one_way(root: Path) -> None:
    assert list(root.glob("goldlens/*/**/*.py")), f"no modules under {root}"
    assert violations(root) == []


@pytest.mark.parametrize(
    ("module", "line", "name"),
    [
        ("scoring.rows", "import goldlens.server.config", "goldlens.server.config"),
        ("scoring.rows", "from goldlens import server", "goldlens.server"),
        ("scoring.rows", "from ..client import wire", "goldlens.client.wire"),
        ("client.wire", "from goldlens.scoring import text", "goldlens.scoring.text"),
        ("server.rpc", "def f():\n    from goldlens.client import wire", "goldlens.client.wire"),
        ("server.rpc", "import goldlens.cli.main", "goldlens.cli.main"),
        ("scoring.text", "from .conllu import reading", "goldlens.scoring.conllu.reading"),
        ("scoring.counts", "from . import task", "goldlens.scoring.task"),
        ("scoring.ud.task", "from ..spans import schemes", "goldlens.scoring.spans.schemes"),
        ("scoring.ud.task", "from .. import spans", "goldlens.scoring.spans"),
        ("scoring.ud.held", "from ..analysis import drift", "goldlens.scoring.analysis.drift"),
    ],
)
def test_a_planted_violation_is_caught(tmp_path: Path, module: str, line: str, name: str) -> None:
    file = tmp_path / "goldlens" / f"{module.replace('.', '/')}.py"
    file.parent.mkdir(parents=True)
    file.write_text(f"{line}\n", "utf-8")
    assert violations(tmp_path) == [f"goldlens.{module} imports {name}"]


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("cli.main", "from goldlens.client import wire"),
        ("cli.main", "from goldlens.server import config\nimport goldlens.scoring.text"),
        ("server.config", "from goldlens.scoring.problems import CODES"),
        ("scoring.text", "from .problems import CODES\nimport os"),
        ("scoring.ud.task", "from ..conllu import reading\nfrom . import segments"),
        ("scoring.tasks", "from .ud import task\nfrom .spans import schemes"),
        ("scoring.analysis.drift", "from ..ud import profile"),
    ],
)
def test_what_is_allowed_passes(tmp_path: Path, module: str, line: str) -> None:
    file = tmp_path / "goldlens" / f"{module.replace('.', '/')}.py"
    file.parent.mkdir(parents=True)
    file.write_text(f"{line}\n", "utf-8")
    assert violations(tmp_path) == []
