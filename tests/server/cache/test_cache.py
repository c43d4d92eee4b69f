from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import msgpack
import pytest

from goldlens.scoring.problems import CODES, Place, Problem, Related, Repair, Severity, Side
from goldlens.scoring.spans.task import Spans
from goldlens.scoring.task import GOLD, PRED
from goldlens.scoring.ud.task import UD
from goldlens.server.cache import problems, stretches, usual
from goldlens.server.cache.cache import Cache, Text
from goldlens.server.cache.columns import Unusable
from goldlens.server.cache.store import Store
from goldlens.server.cache.writer import Writer
from goldlens.server.engine.document import Document, Edit
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.library import Library
from goldlens.server.ondisk import rewritten
from goldlens.server.sources import sha256
from goldlens.server.systems import Systems
from goldlens.server.workspace import Workspace
from tests.properties.test_law1 import same_document, same_pair
from tests.server.cache.remembering import InMemory, cache


def sentence(number: int, relation: str = "obj") -> bytes:
    return (
        f"# sent_id = s{number}\n"
        f"1\tw{number}\tw\tVERB\t_\t_\t0\troot\t_\t_\n"
        f"2\tx\tx\tNOUN\t_\t_\t1\t{relation}\t_\t_\n\n"
    ).encode()


GOLD_TEXT = b"".join(sentence(k) for k in range(60))
PRED_TEXT = b"".join(sentence(k, "dep" if k % 7 == 0 else "obj") for k in range(60))
CHANGED = PRED_TEXT.replace(sentence(30), sentence(30, "nsubj"))


@pytest.fixture(autouse=True)
def small_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretches, "SIZE", 400)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many blocks were parsed, by each call."""
    found: list[int] = []
    parse = type(UD).parse

    def counted(self: Any, blocks: Any, **how: Any) -> Any:
        found.append(len(blocks))
        return parse(self, blocks, **how)

    monkeypatch.setattr(type(UD), "parse", counted)
    return found


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many segments were compared, by each call."""
    found: list[int] = []
    compare = type(UD).compare

    def counted(self: Any, gold: Any, pred: Any, segments: Any, known: Any = None) -> Any:
        found.append(len(segments))
        return compare(self, gold, pred, segments, known)

    monkeypatch.setattr(type(UD), "compare", counted)
    return found


def opened(cache: Cache, gold: bytes = GOLD_TEXT, pred: bytes = PRED_TEXT) -> Pair:
    theirs = cache.document(UD, Text(gold, Path("gold"), checks=False))
    ours = cache.document(UD, Text(pred, Path("pred")))
    return cache.pair(UD, theirs, ours)


def kept(store: Store, gold: bytes = GOLD_TEXT, pred: bytes = PRED_TEXT) -> None:
    first = cache(store)
    opened(first, gold, pred)
    first.finish()


def fresh(gold: bytes = GOLD_TEXT, pred: bytes = PRED_TEXT) -> Pair:
    return Pair(UD, Document(UD, gold, checks=False), Document(UD, pred))


class TestOpening:
    def test_the_same_again_is_neither_parsed_nor_compared(
        self, parsed: list[int], compared: list[int]
    ) -> None:
        store = InMemory()
        kept(store)
        assert (sum(parsed), sum(compared)) == (120, 60)
        parsed.clear()
        compared.clear()
        pair = opened(cache(store))
        assert (sum(parsed), sum(compared)) == (0, 0)
        same_document(pair.gold, fresh().gold)
        same_pair(pair, fresh())

    def test_scores_make_no_units(self) -> None:
        store = InMemory()
        kept(store)
        pair = opened(cache(store))
        assert pair.tally == fresh().tally
        assert pair.pred.units.waiting == pair.gold.units.waiting == 60  # type: ignore[attr-defined]

    def test_doubled_names_are_found_without_units(self) -> None:
        twice = PRED_TEXT + sentence(3)
        store = InMemory()
        kept(store, pred=twice)
        found = opened(cache(store), pred=twice).pred
        duplicates = found.duplicates()
        assert duplicates is not None
        assert duplicates.numbers() == [60]
        assert duplicates.severities[60] == CODES["sent-id-duplicate"].severity
        assert found.units.waiting == 61  # type: ignore[attr-defined]
        same_document(found, Document(UD, twice))

    @pytest.mark.parametrize("number", [0, 1, 30, 59])
    def test_one_sentence_changed_costs_one_stretch(
        self, number: int, parsed: list[int], compared: list[int]
    ) -> None:
        changed = PRED_TEXT.replace(b"\tw%d\tw\tVERB" % number, b"\tw%d\tw\tNOUN" % number)
        store = InMemory()
        kept(store)
        parsed.clear()
        compared.clear()
        pair = opened(cache(store), pred=changed)
        assert 0 < sum(parsed) <= 6
        assert 0 < sum(compared) <= 6
        same_pair(pair, fresh(pred=changed))

    def test_one_sentence_of_gold_changed_costs_one_stretch(
        self, parsed: list[int], compared: list[int]
    ) -> None:
        changed = GOLD_TEXT.replace(sentence(30), sentence(30, "nsubj"))
        store = InMemory()
        kept(store)
        parsed.clear()
        compared.clear()
        pair = opened(cache(store), gold=changed)
        assert 0 < sum(parsed) <= 6
        assert 0 < sum(compared) <= 6
        same_pair(pair, fresh(gold=changed))

    def test_ways_of_matching_are_told_apart(self) -> None:
        turned = b"".join(sentence(k) for k in reversed(range(60)))
        store = InMemory()
        for run in (cache(store), cache(store)):
            for match in ("sent_id", "stream", "auto"):
                gold = run.document(UD, Text(GOLD_TEXT, Path("gold"), checks=False))
                pred = run.document(UD, Text(turned, Path("pred")))
                expected = Pair(UD, gold, pred, match)
                same_pair(run.pair(UD, gold, pred, match), expected)
                run.finish()

    def test_what_was_before_is_known_too(self, parsed: list[int]) -> None:
        store = InMemory()
        kept(store)
        kept(store, pred=CHANGED)
        kept(store)
        parsed.clear()
        opened(cache(store))
        assert not parsed
        opened(cache(store), pred=PRED_TEXT.replace(b"w59", b"y59"))
        assert sum(parsed) <= 6

    def test_a_line_end_may_be_half_in_what_has_changed(self) -> None:
        before = PRED_TEXT.replace(b"\n\n# sent_id = s20\n", b"\n\n\n# sent_id = s20\n")
        # What ended with an empty line ends with one still, but its end takes in the next one.
        after = before.replace(b"\n\n\n# sent_id = s20\n", b"\r\r\n# sent_id = s20\n")
        for size in range(1, 1500, 25):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(stretches, "SIZE", size)
                # The rest is looked for at the end, so that it is found where it stands so.
                patch.setattr(stretches, "_AHEAD", 0)
                store = InMemory()
                kept(store, pred=before)
                same_document(opened(cache(store), pred=after).pred, fresh(pred=after).pred)

    def test_another_text_is_read_anew(self, parsed: list[int]) -> None:
        store = InMemory()
        kept(store)
        parsed.clear()
        pair = opened(cache(store), pred=CHANGED.upper())
        assert sum(parsed) == 60
        same_pair(pair, fresh(pred=CHANGED.upper()))

    @pytest.mark.parametrize("version", ["2", "", "1 "])
    def test_another_version_knows_nothing(self, parsed: list[int], version: str) -> None:
        store = InMemory()
        kept(store)
        parsed.clear()
        opened(cache(store, version))
        assert sum(parsed) == 120

    def test_checks_and_wanted_codes_are_told_apart(self) -> None:
        nameless = PRED_TEXT.replace(b"# sent_id = s5\n", b"")
        store = InMemory()
        first = cache(store)
        for extra in ((), ("sent-id-missing",)):
            for checks in (True, False):
                text = Text(nameless, Path("p"), checks=checks, extra=extra)
                gold = first.document(UD, Text(GOLD_TEXT, Path("gold"), checks=False))
                first.pair(UD, gold, first.document(UD, text))
        first.finish()
        second = cache(store)
        for extra in ((), ("sent-id-missing",)):
            for checks in (True, False):
                text = Text(nameless, Path("p"), checks=checks, extra=extra)
                expected = Document(UD, nameless, checks=checks, extra=extra)
                assert second.document(UD, text).units == expected.units

    def test_a_document_that_was_edited_or_checked_is_kept_as_nothing(self) -> None:
        store = InMemory()
        first = cache(store)
        gold = first.document(UD, Text(GOLD_TEXT, checks=False))
        pred = first.document(UD, Text(PRED_TEXT, later=True))
        pred.check_some(5)
        first.pair(UD, gold, pred)
        first.finish()
        assert not store.entries

    @pytest.mark.parametrize("side", [GOLD, PRED])
    def test_one_that_is_edited_before_it_is_compared_is_compared_anew(self, side: int) -> None:
        store = InMemory()
        kept(store)
        second = cache(store)
        documents = [
            second.document(UD, Text(GOLD_TEXT, checks=False)),
            second.document(UD, Text(PRED_TEXT)),
        ]
        expected = [Document(UD, GOLD_TEXT, checks=False), Document(UD, PRED_TEXT)]
        for document in (documents[side], expected[side]):
            document.edit(Edit(3, 0, 4, 0, b""), Encoding.UTF8)
        same_pair(second.pair(UD, *documents), Pair(UD, *expected))

    def test_what_they_have_become_is_kept_if_one_says_so(
        self, parsed: list[int], compared: list[int]
    ) -> None:
        store = InMemory()
        first = cache(store)
        pair = opened(first)
        for k in (3, 40):
            for splice in rewritten(pair.pred, CHANGED.replace(b"w%d" % k, b"y%d" % k)):
                pair.apply(PRED, splice)
        first.renew(pair, sha256(GOLD_TEXT), sha256(pair.pred.text()))
        first.finish()
        parsed.clear()
        compared.clear()
        again = opened(cache(store), pred=pair.pred.text())
        assert (sum(parsed), sum(compared)) == (0, 0)
        same_pair(again, fresh(pred=pair.pred.text()))

    def test_small_texts_and_other_tasks_are_not_kept(self) -> None:
        store = InMemory()
        kept_small = Cache(store, lambda: "1", small=len(GOLD_TEXT) + 1)
        opened(kept_small)
        kept_small.finish()
        spans = Spans()
        lines = b"a B-X\n\n" * 200
        first = cache(store)
        documents = [first.document(spans.format(k), Text(lines)) for k in (GOLD, PRED)]
        first.pair(spans, *documents)
        first.finish()
        assert not store.entries


class TestDamage:
    """What is not as it should be is computed again, and the score is right."""

    def test_any_value_of_an_entry_gone_or_another(self, caplog: pytest.LogCaptureFixture) -> None:
        store = InMemory()
        kept(store)
        expected = fresh().sums.total.tolist()
        for key, data in list(store.entries.items()):
            for spoilt in spoilings(msgpack.unpackb(data, strict_map_key=False)):
                store.entries[key] = msgpack.packb(spoilt)
                assert opened(cache(store)).sums.total.tolist() == expected
            store.entries[key] = data

    def test_it_is_said_in_the_log(self, caplog: pytest.LogCaptureFixture) -> None:
        store = InMemory()
        kept(store)
        for key in store.entries:
            store.entries[key] = msgpack.packb([1])
        with caplog.at_level(logging.INFO):
            opened(cache(store))
        assert "cache: what was kept of pred is of no use: it is no text" in caplog.text

    def test_on_disk_cut_off_at_every_97th_byte(self, tmp_path: Path) -> None:
        store = Store(tmp_path / "cache")
        kept(store)
        expected = fresh().sums.total.tolist()
        for entry in store.folder.iterdir():
            data = entry.read_bytes()
            for size in range(0, len(data), 97):
                entry.write_bytes(data[:size])
                assert opened(cache(store)).sums.total.tolist() == expected
            entry.write_bytes(data)

    def test_a_store_that_fails_in_any_way_stops_nothing(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        class Full(InMemory):
            def put(self, key: str, value: Any) -> None:
                raise RuntimeError("no more")

        with caplog.at_level(logging.INFO):
            kept(Full())
        assert "something was not kept: RuntimeError: no more" in caplog.text


def spoilings(value: Any) -> Iterator[Any]:
    """A value of lists and dictionaries with something in it gone, or of another kind."""
    yield None
    yield []
    yield {}
    if isinstance(value, list) and len(value) < 10:
        for k, part in enumerate(value):
            yield value[:k] + value[k + 1 :]
            for spoilt in spoilings(part):
                yield [*value[:k], spoilt, *value[k + 1 :]]
    elif isinstance(value, dict):
        for key, part in value.items():
            yield {other: kept for other, kept in value.items() if other != key}
            for spoilt in spoilings(part):
                yield {**value, key: spoilt}
    elif isinstance(value, bytes):
        yield value[1:]
        yield value + b"\0"
    elif isinstance(value, int):
        yield "1"


class TestProblems:
    FULL = Problem(
        "las-error",
        Place(1, 2, 3, 4, Side.THERE),
        "message",
        Severity.HINT,
        True,
        True,
        (Related(Place(5, 6, 7, 8), "here"), Related(Place(0, 0, 0, 0, Side.THERE), "there")),
        False,
        Repair("do", "it"),
    )

    @pytest.mark.parametrize(
        "problem", [FULL, Problem("bom", Place(0, 0, 0, 0), "m", Severity.ERROR)]
    )
    def test_they_say_the_same(self, problem: Problem) -> None:
        values = msgpack.unpackb(msgpack.packb(problems.packed(problem)))
        assert problems.unpacked(values) == problem

    @pytest.mark.parametrize("values", [None, 1, [], ["bom"], [1] * 9, ["a", [0] * 5, "", 99] * 2])
    def test_others_are_none(self, values: Any) -> None:
        with pytest.raises(Unusable):
            problems.unpacked(values)


class TestWriter:
    def test_jobs_are_done_in_order_and_a_failure_stops_none(self) -> None:
        done: list[str] = []

        def job(name: str) -> Iterator[None]:
            done.append(name)
            yield
            if name == "bad":
                raise ValueError("bad")
            done.append(name)

        writer = Writer()
        for name in ("a", "bad", "b"):
            writer.add(name, job(name), wait=60)
        assert done == []
        writer.finish()
        assert done == ["a", "a", "bad", "b", "b"]
        writer.add("c", job("c"), wait=60)
        writer.finish()
        assert done[-2:] == ["c", "c"]

    def test_nobody_has_to_wait_for_it(self) -> None:
        done: list[str] = []
        ended = Event()

        def job(name: str) -> Iterator[None]:
            yield
            done.append(name)
            ended.set()

        writer = Writer()
        writer.add("late", job("late"), wait=60)
        writer.add("soon", job("soon"), wait=0)
        assert ended.wait(30)
        assert done == ["soon"]
        writer.finish()
        assert done == ["soon", "late"]

    def test_the_last_job_of_a_key_is_done_alone(self) -> None:
        done: list[int] = []
        writer = Writer()
        for k in range(3):
            writer.add("key", (done.append(k) for k in [k]), wait=60)
        writer.finish()
        assert done == [2]


class TestUsual:
    @pytest.mark.parametrize("switch", ["off", "OFF", "0", "no", "false"])
    def test_it_is_turned_off(
        self, switch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GOLDLENS_CACHE", switch)
        monkeypatch.setenv("GOLDLENS_CACHE_DIR", str(tmp_path / "here"))
        assert usual.usual()._store is None

    def test_it_is_where_one_says(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("GOLDLENS_CACHE")
        monkeypatch.setenv("GOLDLENS_CACHE_DIR", str(tmp_path / "here"))
        store = usual.usual()._store
        assert store is not None
        assert store.folder == tmp_path / "here"
        assert usual.usual() is usual.usual()

    def test_it_is_the_systems_folder_for_such_things(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("GOLDLENS_CACHE")
        monkeypatch.setattr(usual, "user_cache_path", lambda name, appauthor: tmp_path / name)
        usual._cache.cache_clear()
        store = usual.usual()._store
        usual._cache.cache_clear()
        assert store is not None
        assert store.folder == tmp_path / "goldlens"

    def test_another_code_is_another_version(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        here = usual._version.__wrapped__()
        assert here == usual._version.__wrapped__()
        (tmp_path / "task.py").write_text("x = 1\n", "utf-8")
        monkeypatch.setattr(usual.task, "__file__", str(tmp_path / "task.py"))
        assert usual._version.__wrapped__() != here


class TestWhoOpens:
    """The watcher and the editors open files so, and score them as without a cache."""

    @pytest.fixture
    def files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        (tmp_path / "a.gold.conllu").write_bytes(GOLD_TEXT)
        (tmp_path / "a.pred.conllu").write_bytes(PRED_TEXT)
        monkeypatch.setattr("goldlens.server.desk.LARGE", 0)
        return tmp_path

    def edited(self, files: Path, cache: Cache) -> Workspace:
        workspace = Workspace(files, Library(cache))
        path = files / "a.pred.conllu"
        workspace.open(path.as_uri(), path.read_text("utf-8"), 1, "conllu")
        cache.finish()
        return workspace

    def test_editors(self, files: Path, parsed: list[int], compared: list[int]) -> None:
        store, uri = InMemory(), (files / "a.pred.conllu").as_uri()
        first = self.edited(files, cache(store))
        parsed.clear()
        compared.clear()
        again = self.edited(files, cache(store))
        assert (sum(parsed), sum(compared)) == (0, 0)
        assert again.scores(uri) == first.scores(uri) is not None
        assert again.listing(uri, None).shown == first.listing(uri, None).shown

    def test_the_watcher(
        self, tmp_path: Path, parsed: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("GOLDLENS_CACHE")
        monkeypatch.setenv("GOLDLENS_CACHE_DIR", str(tmp_path / "cache"))
        (tmp_path / "a.gold.conllu").write_bytes(b"".join(sentence(k) for k in range(20_000)))
        (tmp_path / "a.pred.conllu").write_bytes(
            b"".join(sentence(k, "dep" if k % 7 else "obj") for k in range(20_000))
        )
        scores = []
        for _ in range(2):
            usual._cache.cache_clear()
            (change,) = Systems(tmp_path / "a.pred.conllu").open()
            assert change.system.score is not None
            scores.append(change.system.score)
            usual.usual().finish()
        assert scores[0] == scores[1]
        assert sum(parsed) == 40_000

    def test_the_watcher_after_a_change(
        self, tmp_path: Path, parsed: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("GOLDLENS_CACHE")
        monkeypatch.setenv("GOLDLENS_CACHE_DIR", str(tmp_path / "cache"))
        gold, pred = tmp_path / "a.gold.conllu", tmp_path / "a.pred.conllu"
        gold.write_bytes(b"".join(sentence(k) for k in range(20_000)))
        pred.write_bytes(gold.read_bytes())
        usual._cache.cache_clear()
        systems = Systems(pred)
        list(systems.open())
        pred.write_bytes(b"".join(sentence(k, "dep") for k in range(20_000)))
        (change,) = systems.changed([pred])
        usual.usual().finish()
        parsed.clear()
        usual._cache.cache_clear()
        (again,) = Systems(pred).open()
        usual.usual().finish()
        assert again.system.score == change.system.score is not None
        assert not parsed
