"""UD's own validator as a second source of diagnostics, over a real connection."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lsp.conftest import Pair
from tests.lsp.session import SocketSession, replace

ON = {"validate": "onSave", "inlayHints": "off"}
TEXT = (
    "# sent_id = a\n# text = tea\n1\ttea\ttea\tNOUN\t_\tB=C|A=D\t0\troot\t_\t_\n\n"
    "# sent_id = b\n# text = 𝄞\n1\t𝄞\t𝄞\tNOUN\t_\tB=C|A=D\t0\troot\t_\t_\n\n"
)


@pytest.fixture
def uri(pair: Pair) -> str:
    return (pair.folder / "alone.conllu").as_uri()


def found(diagnostics: list[Any]) -> list[tuple[str, int, int, int]]:
    """The validator's: the test, the line, and from where to where."""
    return [
        (
            each["code"],
            each["range"]["start"]["line"],
            each["range"]["start"]["character"],
            each["range"]["end"]["character"],
        )
        for each in diagnostics
        if each["source"] == "udvalidate"
    ]


def validated(session: SocketSession, uri: str, least: int = 1) -> list[Any]:
    """The next diagnostics in which the validator has so much to say."""

    def wanted(message: Any) -> bool:
        params = message.get("params")
        return (
            message.get("method") == "textDocument/publishDiagnostics"
            and params["uri"] == uri
            and len(found(params["diagnostics"])) >= least
        )

    diagnostics: list[Any] = session.expect(wanted, "findings", 60)["params"]["diagnostics"]
    return diagnostics


def test_findings_stand_beside_ours_at_their_cells(
    session: SocketSession, pair: Pair, uri: str
) -> None:
    session.initialize(folder=pair.folder, options=ON)
    session.open(uri, TEXT)
    diagnostics = validated(session, uri)
    start, wide = len("1\ttea\ttea\tNOUN\t_\t"), len("1\t__\t__\tNOUN\t_\t")
    assert found(diagnostics) == [
        ("unsorted-features", 2, start, start + 7),
        ("unsorted-features", 6, wide, wide + 7),
    ]
    assert {each["source"] for each in diagnostics} == {"goldlens", "udvalidate"}
    [first, _] = [each for each in diagnostics if each["source"] == "udvalidate"]
    assert first["severity"] == 1
    assert first["message"] == "Morphological features must be sorted: 'B=C|A=D'. (level 2)"


def test_findings_move_while_one_types_and_are_found_anew_on_saving(
    session: SocketSession, pair: Pair, uri: str
) -> None:
    session.initialize(folder=pair.folder, options=ON)
    session.open(uri, TEXT)
    validated(session, uri)
    session.edit(uri, 2, replace(0, 0, 0, "# new = 1\n"))
    # What has changed is known no more, and what stands below has moved.
    assert [each[:2] for each in found(session.problems(uri, 2))] == [("unsorted-features", 7)]
    session.save(uri)
    assert [each[1] for each in found(validated(session, uri, 2))] == [3, 7]


def test_it_is_off_unless_it_is_wanted(session: SocketSession, pair: Pair, uri: str) -> None:
    session.initialize(folder=pair.folder)
    session.open(uri, TEXT)
    assert found(session.problems(uri, 1)) == []
    settings: dict[str, Any] = {"settings": {"goldlens": ON}}
    session.send("workspace/didChangeConfiguration", settings)
    assert len(found(validated(session, uri))) == 2
    settings = {"settings": {"goldlens": {**ON, "validateLanguage": "xx"}}}
    session.send("workspace/didChangeConfiguration", settings)
    session.expect(
        lambda m: (
            m.get("method") == "textDocument/publishDiagnostics"
            and any(each[0] == "feature-unknown" for each in found(m["params"]["diagnostics"]))
        ),
        "findings of a language",
        60,
    )
    session.send("workspace/didChangeConfiguration", {"settings": {"goldlens": {}}})
    session.settle()
    assert found(session.pushed(uri)[-1]["diagnostics"]) == []


def test_who_pulls_is_told_to_pull_again(session: SocketSession, pair: Pair, uri: str) -> None:
    can = {
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": True}},
    }
    session.initialize(can, folder=pair.folder, options=ON)
    session.open(uri, TEXT)
    before = session.pull(uri)
    session.expect(lambda m: m.get("method") == "workspace/diagnostic/refresh", "refresh", 60)
    after = session.pull(uri, before["resultId"])
    assert after["kind"] == "full" and len(found(after["items"])) == 2
    assert session.pull(uri, after["resultId"])["kind"] == "unchanged"


def test_at_most_so_many(session: SocketSession, pair: Pair, uri: str) -> None:
    session.initialize(folder=pair.folder, options={**ON, "maxProblems": 2})
    session.open(uri, TEXT + "1\tx\n\n")
    diagnostics = validated(session, uri)
    assert [each[0] for each in found(diagnostics)] == ["unsorted-features", "problems-cut"]
    assert "more findings are not shown (maxProblems is 2)" in diagnostics[-1]["message"]


def test_what_is_closed_is_validated_no_more(session: SocketSession, pair: Pair, uri: str) -> None:
    session.initialize(folder=pair.folder, options=ON)
    session.open(uri, TEXT)
    session.close(uri)
    other = (pair.folder / "other.conllu").as_uri()
    session.open(other, TEXT)
    validated(session, other)
    assert session.pushed(uri)[-1]["diagnostics"] == []
    assert all(not found(push["diagnostics"]) for push in session.pushed(uri))


def test_other_files_are_not_validated(session: SocketSession, pair: Pair) -> None:
    (pair.folder / "gold.iob2").write_text("a\tB-X\n\n")
    spans = (pair.folder / "pred.iob2").as_uri()
    session.initialize(folder=pair.folder, options=ON)
    session.open(spans, "a\tQ\n\n")
    other = (pair.folder / "other.conllu").as_uri()
    session.open(other, TEXT)
    validated(session, other)
    assert all(not found(push["diagnostics"]) for push in session.pushed(spans))


def test_a_mark_at_the_start_counts(session: SocketSession, pair: Pair, uri: str) -> None:
    session.initialize(folder=pair.folder, options=ON)
    session.open(uri, "\ufeffx\ty\n\n" + TEXT)
    assert ("invalid-line", 0, 1, 4) in found(validated(session, uri))
