"""The systems of a configuration: found, scored, and scored again as files change."""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from goldlens.scoring.task import GOLD, PRED
from goldlens.scoring.tasks import task_named
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.ondisk import PATIENCE, rewritten
from goldlens.server.system import System
from goldlens.server.systems import Change, Systems
from goldlens.server.telling import listing_of

WORDS = [f"w{number}" for number in range(400)]


def sentence(number: int, tag: str = "NOUN", relation: str = "root") -> str:
    return (
        f"# sent_id = s{number}\n"
        f"1\t{WORDS[number]}\t_\t{tag}\t_\t_\t0\t{relation}\t_\t_\n"
        f"2\tx{number}\t_\tVERB\t_\t_\t1\tdep\t_\t_\n\n"
    )


def corpus(*wrong: int, size: int = 4, tag: str = "VERB") -> str:
    """Sentences of two words; in the `wrong` ones a tag is another."""
    return "".join(sentence(k, tag if k in wrong else "NOUN") for k in range(size))


CONFIG = '[[pair]]\ngold = "gold/a.conllu"\npred = "runs/*/a.conllu"\nlanguage = "en"\n'


class Clock:
    """The time of day, which can be put forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


class Place:
    """A folder with a configuration, a gold, and the systems of it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clock = folder, Clock()
        self.gold = self.write("gold/a.conllu", corpus())
        self.config = self.write("goldlens.toml", CONFIG)

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def run(self, name: str, text: str | bytes) -> Path:
        return self.write(f"runs/{name}/a.conllu", text)

    def open(self, path: Path | None = None, *metrics: str) -> Systems:
        systems = Systems(path or self.folder, metrics, self.clock)
        self.opened = list(systems.open())
        return systems


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def events(changes: list[Change]) -> list[tuple[str, str]]:
    return [(str(change.event), change.system.name) for change in changes]


def upos(system: System) -> float | None:
    figure = system.score.figures["UPOS"] if system.score is not None else None
    return None if figure is None else figure.score


def codes(system: System) -> list[str]:
    """The codes of the problems that its prediction has."""
    listing = listing_of(system, 100)
    assert listing is not None
    return [found.problem.code for found in listing.shown]


def only(systems: Systems) -> System:
    [system] = systems.all
    return system


# What there is


def test_every_match_of_a_glob_is_a_system_and_gold_is_none(place: Place) -> None:
    place.run("one", corpus(1))
    place.run("two", corpus())
    place.write("runs/two/b.conllu", corpus())
    systems = place.open()
    assert events(place.opened) == [("new", "one"), ("new", "two")]
    assert [upos(system) for system in systems.all] == [87.5, 100]
    assert [system.pairing.pair.language for system in systems.all] == ["en", "en"]


@pytest.mark.parametrize("where", [".", "goldlens.toml", "runs"])
def test_the_configuration_is_found_at_the_path_or_above_it(place: Place, where: str) -> None:
    place.run("one", corpus())
    assert [system.name for system in place.open(place.folder / where).all] == ["one"]


def test_below_a_folder_only_its_predictions_are_systems(place: Place) -> None:
    place.run("one", corpus())
    place.run("two", corpus())
    assert [system.name for system in place.open(place.folder / "runs" / "two").all] == ["two"]
    file = place.folder / "runs" / "one" / "a.conllu"
    assert [system.name for system in place.open(file).all] == ["one"]


def test_without_a_configuration_names_say_what_faces_gold(place: Place) -> None:
    place.config.unlink()
    place.write("more/b.gold.conllu", corpus())
    place.write("more/b.pred.conllu", corpus(0, 1))
    place.write("pred/a.conllu", corpus(0))
    place.write(".hidden/b.pred.conllu", corpus())
    place.write("pred/notes.md", "nothing\n")
    systems = place.open()
    assert [(s.name, upos(s)) for s in systems.all] == [
        ("more/b.pred.conllu", 75.0),
        ("pred/a.conllu", 87.5),
    ]


def test_one_prediction_in_two_pairs_is_two_systems(place: Place) -> None:
    place.run("one", corpus(0))
    place.write("gold/b.conllu", corpus(0))
    place.write("goldlens.toml", CONFIG + CONFIG.replace("gold/a", "gold/b"))
    assert [upos(system) for system in place.open().all] == [87.5, 100]


def test_the_same_pair_named_twice_is_one_system(place: Place) -> None:
    place.run("one", corpus(0))
    place.write("goldlens.toml", CONFIG + CONFIG.replace('"en"', '"de"'))
    assert only(place.open()).pairing.pair.language == "en"


# What happens


def test_a_new_run_folder_is_a_new_system(place: Place) -> None:
    place.run("one", corpus())
    systems = place.open()
    path = place.run("two", corpus(2))
    assert path in systems.interest().files
    assert events(systems.changed([path])) == [("new", "two")]
    assert upos(systems.all[1]) == 87.5


def test_an_epoch_gives_the_change_since_start_and_since_the_last(place: Place) -> None:
    path = place.run("one", corpus(0, 1, 2))
    systems = place.open()
    for wrong in ((0, 1), (0,)):
        place.run("one", corpus(*wrong))
        assert events(systems.changed([path])) == [("score", "one")]
    system = only(systems)
    assert system.start is not None and system.before is not None and system.score is not None
    scores = [each.figures["UPOS"] for each in (system.start, system.before, system.score)]
    assert [figure and figure.score for figure in scores] == [62.5, 75, 87.5]


def test_a_file_renamed_over_another_of_the_same_size_and_time(place: Place) -> None:
    path = place.run("one", corpus(0))
    systems = place.open()
    before = path.stat()
    other = place.write("other.tmp", corpus(0, 1))
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)
    assert before.st_size == path.stat().st_size
    assert events(systems.changed([path])) == [("score", "one")]
    assert upos(only(systems)) == 75


def test_the_same_bytes_written_again_are_no_news(place: Place) -> None:
    path = place.run("one", corpus(0))
    systems = place.open()
    place.run("one", corpus(0))
    assert systems.changed([path]) == []


def test_a_change_with_the_time_of_the_one_before_is_seen_by_and_by(place: Place) -> None:
    path = place.run("one", corpus(0))
    systems = place.open()
    place.run("one", corpus(1, 2, tag="AUXI"))
    # Nobody tells of it, as where the stamp is the same.
    place.clock.ahead = 3
    assert events(systems.tick()) == [("score", "one")]
    place.clock.ahead = 6
    assert systems.tick() == []
    assert all(source.again is None for source in systems._sources())
    assert path.exists()


def test_a_new_gold_scores_all_that_face_it(place: Place) -> None:
    place.run("one", corpus())
    place.run("two", corpus(3))
    systems = place.open()
    place.write("gold/a.conllu", corpus(3))
    assert events(systems.changed([place.gold])) == [("score", "one"), ("score", "two")]
    assert [upos(system) for system in systems.all] == [87.5, 100]


def test_a_gold_that_is_deleted_leaves_stale_scores_until_it_is_back(place: Place) -> None:
    place.run("one", corpus(0))
    systems = place.open()
    place.gold.unlink()
    assert events(systems.changed([place.gold])) == [("trouble", "one")]
    system = only(systems)
    assert system.trouble is not None and "no gold at" in system.trouble
    assert upos(system) == 87.5
    assert place.gold in systems.interest().files
    place.write("gold/a.conllu", corpus(0))
    assert events(systems.changed([place.gold])) == [("score", "one")]
    assert (system.trouble, upos(system)) == (None, 100)


def test_nothing_is_found_against_a_gold_that_cannot_be_had(place: Place) -> None:
    place.run("one", corpus(0))
    systems = place.open()
    system = only(systems)

    assert codes(system) == ["tag-error"]
    text = place.gold.read_bytes()
    for gone in (place.gold.unlink, lambda: place.gold.write_bytes(b"\xff\xfea\0")):
        gone()
        systems.changed([place.gold])
        assert codes(system) == ["gold-not-found"]
        place.gold.write_bytes(text)
        systems.changed([place.gold])
        assert (codes(system), upos(system)) == (["tag-error"], 87.5)


def test_nothing_is_found_in_a_prediction_that_cannot_be_read(place: Place) -> None:
    path = place.run("one", corpus(0))
    systems = place.open()
    system = only(systems)
    found = codes(system)
    assert found == ["tag-error"]
    text = path.read_bytes()
    path.write_bytes(b"\xff\xfea\0")
    assert events(systems.changed([path])) == [("trouble", "one")]
    assert codes(system) == []
    path.write_bytes(text)
    assert events(systems.changed([path])) == [("score", "one")]
    assert (codes(system), upos(system)) == (found, 87.5)


def test_why_gold_cannot_be_had_is_what_was_found_at_the_last_look(place: Place) -> None:
    place.run("one", corpus())
    systems = place.open()
    system = only(systems)
    data = place.gold.read_bytes()
    place.gold.unlink()
    assert system.gold_trouble is None, "nobody has looked yet"
    assert events(systems.changed([place.gold])) == [("trouble", "one")]
    place.gold.write_bytes(data)
    assert system.gold_trouble is not None and "no gold at" in system.gold_trouble.message
    assert events(systems.changed([place.gold])) == [("score", "one")]
    assert system.gold_trouble is None


def test_a_gold_that_comes_later(place: Place) -> None:
    place.gold.unlink()
    place.run("one", corpus())
    systems = place.open()
    system = only(systems)
    assert system.score is None and system.trouble is not None
    place.write("gold/a.conllu", corpus(0))
    assert events(systems.changed([place.gold])) == [("score", "one")]
    assert upos(system) == 87.5


def test_a_prediction_that_is_deleted_is_gone_and_remembered(place: Place) -> None:
    path = place.run("one", corpus(0))
    systems = place.open()
    path.unlink()
    assert events(systems.changed([path])) == [("gone", "one")]
    assert systems.all == []
    place.clock.ahead = 2
    place.run("one", corpus())
    assert events(systems.changed([path])) == [("new", "one")]
    system = only(systems)
    assert system.at > time.time() + 1
    assert system.start is not None and system.before is not None
    assert (upos(system), system.start.figures, system.before.figures) == (
        100,
        system.before.figures,
        system.start.figures,
    )


def test_an_edited_configuration_keeps_what_it_still_names(place: Place) -> None:
    place.run("one", corpus(0))
    place.run("two", corpus())
    systems = place.open()
    one = systems.all[0]
    document = one.document
    place.write("goldlens.toml", CONFIG.replace("*", "one").replace('"en"', '"de"'))
    assert events(systems.changed([place.config])) == [("gone", "two")]
    assert systems.all == [one]
    assert one.document is document
    assert one.pairing.pair.language == "de"


def test_a_configuration_in_the_middle_of_an_edit_changes_nothing(place: Place) -> None:
    place.run("one", corpus())
    systems = place.open()
    place.write("goldlens.toml", CONFIG[:-3])
    assert systems.changed([place.config]) == []
    trouble = systems.trouble
    assert trouble is not None
    assert re.match(rf"{re.escape(str(place.config))}:\d+:\d+: error\[config-value\]: ", trouble)
    assert [system.name for system in systems.all] == ["one"]
    place.write("goldlens.toml", CONFIG)
    systems.changed([place.config])
    assert systems.trouble is None


def test_settings_say_what_is_an_error(place: Place) -> None:
    place.run("one", corpus().replace("\tdep\t", "\tnonsense\t", 1))
    systems = place.open()
    system = only(systems)
    assert system.score is not None
    assert (system.score.errors, system.score.warnings) == (0, 2)
    place.write("goldlens.toml", '[severity]\ndeprel-unknown = "error"\n' + CONFIG)
    assert events(systems.changed([place.config])) == [("score", "one")]
    assert (system.score.errors, system.score.warnings) == (1, 1)
    off = '[severity]\ntext-missing = "warning"\ndeprel-unknown = "off"\n'
    place.write("goldlens.toml", off + CONFIG)
    systems.changed([place.config])
    assert (system.score.errors, system.score.warnings) == (0, 5)


def test_what_is_less_than_a_warning_is_not_counted(place: Place) -> None:
    # A comment, a byte order mark and features out of order: hints, as are CR LF.
    text = "\ufeff" + corpus().replace("\tNOUN\t_\t_\t", "\tNOUN\t_\tB=1|A=1\t", 1)
    place.run("one", text)
    score = only(place.open()).score
    assert score is not None and score.errors == 0
    place.run("two", corpus())
    plain = place.open().all[1].score
    assert plain is not None and score.warnings == plain.warnings


def test_what_the_official_policy_would_refuse_is_scored_and_marked(place: Place) -> None:
    path = place.run("one", corpus().replace("\t0\troot", "\t9\troot", 1))
    systems = place.open()
    system = only(systems)
    assert system.score is not None and system.score.refused
    place.write("goldlens.toml", CONFIG + 'policy = "lenient"\n')
    systems.changed([place.config, path])
    assert not system.score.refused


# What cannot be believed


@pytest.mark.parametrize(
    ("half", "why"),
    [
        (b"", "is empty"),
        (corpus(size=2).encode() + b"# sent_id = s2\n1\tw2", "in the middle of a line"),
        (corpus(size=2).encode(), "gold has 2 more than it"),
        (corpus(size=3).encode() + sentence(3).encode()[:-60] + b"\n", "unfinished"),
        (corpus(size=4).encode().rsplit(b"2\t", 1)[0], "gold has 1 more than it"),
    ],
    ids=["empty", "line", "sentences", "sentence", "words"],
)
def test_half_a_file_is_not_scored_until_it_has_been_left_alone(
    place: Place, half: bytes, why: str
) -> None:
    path = place.run("one", corpus(0))
    systems = place.open()
    place.run("one", half)
    assert events(systems.changed([path])) == [("trouble", "one")]
    system = only(systems)
    assert system.trouble is not None and why in system.trouble
    assert upos(system) == 87.5
    assert systems.pending
    place.clock.ahead = PATIENCE / 2
    assert systems.tick() == []
    assert upos(system) == 87.5
    place.clock.ahead = PATIENCE + 1
    assert events(systems.tick()) == [("score", "one")]
    assert not systems.pending
    assert upos(system) != 87.5


def test_time_alone_does_not_make_an_absent_file_a_trouble(place: Place) -> None:
    path = place.run("one", corpus(0))
    systems = place.open()
    path.unlink()
    # It was read a moment after it was written, so that it is looked at once more.
    place.clock.ahead = PATIENCE
    assert systems.tick() == []
    assert only(systems).trouble is None
    assert events(systems.changed([path])) == [("gone", "one")]


def test_a_half_that_becomes_whole_is_scored_at_once(place: Place) -> None:
    path = place.run("one", corpus(0))
    systems = place.open()
    place.run("one", corpus(size=2))
    systems.changed([path])
    place.run("one", corpus())
    assert events(systems.changed([path])) == [("score", "one")]
    system = only(systems)
    assert upos(system) == 100
    assert system.before is not None and upos(system) != system.before.figures["UPOS"]


def test_a_file_that_was_short_from_the_start_stays_scored_at_once(place: Place) -> None:
    path = place.run("one", corpus(0, size=2))
    systems = place.open()
    system = only(systems)
    assert system.score is None
    place.clock.ahead = PATIENCE + 1
    systems.tick()
    assert system.score is not None
    place.clock.ahead = 0
    place.run("one", corpus(size=2))
    assert events(systems.changed([path])) == [("score", "one")]


def test_what_is_missing_in_the_middle_is_missing_on_purpose(place: Place) -> None:
    path = place.run("one", corpus(0))
    systems = place.open()
    place.run("one", sentence(0) + sentence(1) + sentence(3))
    assert events(systems.changed([path])) == [("score", "one")]


def test_what_is_written_while_it_is_read_is_not_believed(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    from goldlens.server import ondisk, sources

    path = place.run("one", corpus(0))
    systems = place.open()

    def read(file: Path) -> bytes:
        data = sources.read(file)
        place.run("one", corpus(0, 1, 2, size=5))
        return data

    place.run("one", corpus())
    with monkeypatch.context() as patched:
        patched.setattr(ondisk, "read", read)
        assert events(systems.changed([path])) == [("trouble", "one")]
    assert upos(only(systems)) == 87.5
    place.clock.ahead = 2
    assert events(systems.tick()) == [("score", "one")]
    assert upos(only(systems)) is not None and upos(only(systems)) != 87.5


def test_a_file_that_has_been_short_for_long_is_believed_at_once(place: Place) -> None:
    place.run("one", corpus(size=2))
    place.clock.ahead = PATIENCE + 1
    assert only(place.open()).score is not None


def test_half_a_gold_is_not_believed_either(place: Place) -> None:
    place.run("one", corpus(0))
    systems = place.open()
    place.write("gold/a.conllu", corpus()[:-30])
    assert events(systems.changed([place.gold])) == [("trouble", "one")]
    assert upos(only(systems)) == 87.5
    place.write("gold/a.conllu", corpus(0))
    assert events(systems.changed([place.gold])) == [("score", "one")]


@pytest.mark.parametrize(
    ("data", "why"),
    [(corpus().encode("utf-16"), "UTF-16"), (b"\0\1\2" * 90 + b"\n", "binary")],
    ids=["utf-16", "binary"],
)
def test_what_is_no_text_is_a_trouble(place: Place, data: bytes, why: str) -> None:
    path = place.run("one", corpus(0))
    systems = place.open()
    place.run("one", data)
    assert events(systems.changed([path])) == [("trouble", "one")]
    system = only(systems)
    assert system.trouble is not None and why in system.trouble
    place.run("one", corpus())
    assert events(systems.changed([path])) == [("score", "one")]


def test_what_cannot_be_compared_is_a_trouble(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    from goldlens.scoring.task import Incomparable
    from goldlens.server.engine import pair

    path = place.run("one", corpus(0))
    systems = place.open()
    system = only(systems)

    def apply(self: Pair, *given: object) -> None:
        raise Incomparable("too large")

    with monkeypatch.context() as patched:
        patched.setattr(pair.Pair, "apply", apply)
        patched.setattr(pair.Pair, "__init__", apply)
        place.run("one", corpus())
        systems.changed([path])
    assert system.trouble == "cannot be compared: too large"
    assert upos(system) == 87.5
    place.run("one", corpus(0, 1))
    systems.changed([path])
    assert (system.trouble, upos(system)) == (None, 75)


def test_an_unknown_data_set_is_a_trouble(place: Place) -> None:
    place.run("one", corpus())
    place.write("goldlens.toml", CONFIG.replace("gold/a.conllu", "data:ewt"))
    systems = place.open()
    trouble = only(systems).trouble
    assert trouble is not None and "there is no data set “ewt”" in trouble
    assert not any("data:" in str(path) for path in systems.interest().files)


# What is watched


def test_the_interest_names_files_that_are_there_and_that_may_come(place: Place) -> None:
    path = place.run("one", corpus())
    systems = place.open()
    interest = systems.interest()
    assert {path, place.gold, place.config, place.folder / "pyproject.toml"} <= interest.files
    assert interest.folders == {place.folder / "runs"}


def test_a_whole_project_is_not_watched_folder_by_folder(place: Place) -> None:
    """New runs are still found: by looking."""
    place.write("goldlens.toml", CONFIG.replace("runs/*", "*"))
    systems = place.open()
    assert systems.interest().folders == set()
    new = place.write("new/a.conllu", corpus())
    assert new in systems.interest().files


def test_what_changed_before_anybody_watched_is_outdated(place: Place) -> None:
    path = place.run("one", corpus())
    systems = place.open()
    assert systems.outdated() == []
    place.run("one", corpus(0, size=5))
    assert systems.outdated() == [path]
    systems.changed(systems.outdated())
    new = place.run("two", corpus())
    assert systems.outdated() == [new]
    systems.changed([new])
    place.write("goldlens.toml", CONFIG * 2)
    assert systems.outdated() == [place.config]
    systems.changed([place.config])
    place.config.unlink()
    assert systems.outdated() == [place.config]


# What it costs


def test_an_epoch_reads_and_compares_what_it_touches(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("gold/a.conllu", corpus(size=300))
    path = place.run("one", corpus(3, 150, 290, size=300))
    systems = place.open()
    parsed: list[int] = []
    format = type(task_named("ud").format(PRED))
    parse = format.parse

    def counted(self: object, blocks: list[bytes], **options: object) -> object:
        parsed.append(len(blocks))
        return parse(self, blocks, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(format, "parse", counted)
    place.run("one", corpus(4, 151, 289, size=300))
    assert events(systems.changed([path])) == [("score", "one")]
    assert 0 < sum(parsed) <= 12
    assert upos(only(systems)) == 99.5


def test_changes_behind_a_byte_order_mark_cost_what_they_touch() -> None:
    document = Document(task_named("ud").format(PRED), ("\ufeff" + corpus(size=300)).encode())
    before, behind = corpus(size=150), corpus(size=300)[len(corpus(size=150)) :]
    new = "\ufeff# a line more\n" + before + sentence(399) + behind
    found = list(rewritten(document, new.encode()))
    assert [(len(splice.removed), len(splice.added)) for splice in found] == [(0, 1), (1, 1)]


@pytest.mark.parametrize(
    "new",
    [
        corpus(size=150) + corpus(size=300)[len(corpus(size=151)) :],
        corpus(size=150) + sentence(399) + corpus(size=300)[len(corpus(size=150)) :],
    ],
    ids=["taken out", "put in"],
)
def test_a_sentence_more_or_less_costs_that_sentence(new: str) -> None:
    document = Document(task_named("ud").format(PRED), corpus(size=300).encode())
    [splice] = rewritten(document, new.encode())
    assert len(splice.removed) + len(splice.added) == 1


def test_a_gold_is_read_once_for_all_that_face_it(place: Place) -> None:
    for name in ("one", "two", "three"):
        place.run(name, corpus())
    golds = {id(system.gold) for system in place.open().all}
    assert len(golds) == 1


# Law: the way there does not matter


def state(systems: Systems) -> list[tuple[object, ...]]:
    return [
        (s.pairing.pred, s.pairing.gold, s.name, s.trouble, s.score if s.trouble is None else None)
        for s in systems.all
    ]


@pytest.mark.parametrize("seed", range(8))
def test_after_any_changes_systems_are_as_if_just_opened(place: Place, seed: int) -> None:
    draw = random.Random(seed)
    place.clock.ahead = PATIENCE * 2
    place.write("gold/b.iob2", "a O\nb B-X\n\nc B-Y\n\n")
    more = '[[pair]]\ngold = "gold/b.iob2"\npred = "runs/*/b.iob2"\n'
    configs = [CONFIG, CONFIG + more, more + CONFIG, CONFIG.replace("*", "one"), more]
    place.write("goldlens.toml", configs[1])
    systems = place.open()
    for _ in range(25):
        told = []
        for _ in range(draw.randint(1, 3)):
            path, text = _something(draw, place, configs)
            if draw.random() < 0.15 and path != place.config:
                path.unlink(missing_ok=True)
            else:
                place.write(str(path.relative_to(place.folder)), text)
            told.append(path)
        systems.changed(told)
        fresh = Systems(place.folder, (), place.clock)
        list(fresh.open())
        assert state(systems) == state(fresh)


def _something(draw: random.Random, place: Place, configs: list[str]) -> tuple[Path, str]:
    kind = draw.choice(("ud", "ud", "ud", "span", "span", "config"))
    where = draw.choice(("gold", "runs/one", "runs/two", "runs/one", "runs/two"))
    if kind == "config":
        return place.config, draw.choice(configs)
    if kind == "ud":
        size = draw.choice((0, 3, 4, 4, 4, 6))
        wrong = [k for k in range(size) if draw.random() < 0.3]
        text = corpus(*wrong, size=size)
        if draw.random() < 0.3:
            text = draw.choice(("\ufeff" + text, text[:-20], text.replace("\n", "\r\n"), "x\0"))
        return place.folder / where / "a.conllu", text
    rows = [f"{word} {draw.choice(('O', 'B-X', 'I-X', 'B-Y'))}\n" for word in "abcabc"]
    text = "".join(row + draw.choice(("", "", "\n")) for row in rows)
    return place.folder / where / "b.iob2", text


@pytest.mark.parametrize("seed", range(20))
def test_a_text_rewritten_by_splices_is_the_text(seed: int) -> None:
    draw = random.Random(seed)
    task = task_named("ud")

    def text() -> bytes:
        size = draw.choice((0, 1, 20, 20, 20, 21))
        wrong = [k for k in range(size) if draw.random() < 0.06]
        found = ("\ufeff" if draw.random() < 0.2 else "") + corpus(*wrong, size=size)
        cut: Callable[[str], str] = draw.choice(
            (str, str, str.rstrip, lambda t: t.replace("\n\n", "\n", 1), lambda t: "\n" + t)
        )
        return cut(found).encode()

    gold = Document(task.format(GOLD), text(), checks=False)
    pred = Document(task.format(PRED), text())
    pair = Pair(task, gold, pred)
    for _ in range(12):
        side, document = draw.choice(((GOLD, gold), (PRED, pred)))
        new = text()
        for splice in rewritten(document, new):
            pair.apply(side, splice)
        assert document.text() == new
        fresh = Pair(
            task,
            Document(task.format(GOLD), gold.text(), checks=False),
            Document(task.format(PRED), pred.text()),
        )
        assert Scoreboard(pair).figures() == Scoreboard(fresh).figures()
        assert pair.pred.flaws.sums.tolist() == fresh.pred.flaws.sums.tolist()
