"""Data sets as they are registered: what is shipped, and what is refused."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest

from goldlens.server.datasets import registry
from goldlens.server.datasets.registry import OFFICIAL, read, shipped

TABLE: dict[str, Any] = {
    "name": "mine",
    "url": "https://data.test/folder/mine-test.conllu?raw=1",
    "version": "v1",
    "sha256": "AB" * 32,
    "licence": "CC-BY-4.0",
    "note": "For tests.",
}


def faults(**more: Any) -> list[tuple[str, str]]:
    """What is wrong with a table that has these values besides: the key and the message."""
    table = {key: value for key, value in {**TABLE, **more}.items() if value is not None}
    entries, wrong = read([table], ("dataset",))
    assert bool(entries) == (not wrong)
    assert all(fault.where[:2] == ("dataset", 0) for fault in wrong)
    return [(str(fault.where[-1]), fault.message) for fault in wrong]


def test_an_entry_needs_little_and_the_rest_follows() -> None:
    [entry], wrong = read([TABLE], ())
    assert not wrong
    assert (entry.title, entry.file, entry.kind) == ("mine", "mine-test.conllu", "gold")
    assert (entry.sha256, entry.commit, entry.size) == ("ab" * 32, "", None)


def test_an_entry_has_all_that_may_be_said() -> None:
    more = {"title": "Mine", "file": "x.tsv", "kind": "script", "commit": "a1" * 20, "size": 12}
    [entry], wrong = read([{**TABLE, **more}], ())
    assert not wrong
    said = entry.as_dict()
    assert {key: said[key] for key in more} == more
    assert said["sha256"] == "ab" * 32


@pytest.mark.parametrize("key", ["name", "url", "version", "sha256", "licence", "note"])
def test_what_an_entry_needs(key: str) -> None:
    [(where, message)] = faults(**{key: None})
    assert where == "0", "it stands where the table begins"
    assert message.startswith(f"a data set needs “{key}”: ")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("name", "Mine"),
        ("name", "../mine"),
        ("name", ""),
        ("name", 7),
        ("url", "ftp://data.test/x.conllu"),
        ("url", "file:///etc/passwd"),
        ("url", "/tmp/x.conllu"),
        ("url", "https:///x.conllu"),
        ("url", "https://me:secret@data.test/x.conllu"),
        ("url", "https://data.test:99999/x.conllu"),
        ("url", "https://data.test/a b.conllu"),
        ("url", "https://[::1/x.conllu"),
        ("version", " "),
        ("sha256", "ab" * 31),
        ("sha256", "zz" * 32),
        ("licence", ""),
        ("licence", "see the web page"),
        ("note", ""),
        ("note", "two\nlines"),
        ("file", "../x.conllu"),
        ("file", "folder/x.conllu"),
        ("file", ".hidden"),
        ("kind", "data"),
        ("commit", "master"),
        ("size", 0),
        ("size", True),
        ("size", "12"),
    ],
)
def test_a_wrong_value_is_at_its_key(key: str, value: object) -> None:
    [(where, message)] = faults(**{key: value})
    assert where == key
    assert message.startswith("expected ")


def test_a_password_is_not_told_on() -> None:
    [(_, message)] = faults(url="https://me:secret@data.test/x.conllu")
    assert "secret" not in message


@pytest.mark.parametrize(
    "licence",
    [
        *("MIT", "CC-BY-SA-4.0", "GPL-2.0+", "LicenseRef-Corpus"),
        *("(MIT OR Apache-2.0) AND CC-BY-4.0", "GPL-2.0-only WITH Classpath-exception-2.0"),
    ],
)
def test_a_licence_is_an_expression_of_spdx(licence: str) -> None:
    assert faults(licence=licence) == []


def test_an_unknown_key_has_the_nearest_right_one() -> None:
    assert faults(licence=None, license="MIT") == [
        ("license", "unknown key “license”; did you mean “licence”?"),
        ("0", "a data set needs “licence”: a licence as SPDX names it, such as “CC-BY-SA-4.0”"),
    ]


def test_a_url_without_a_name_wants_one_for_the_file() -> None:
    [(where, message)] = faults(url="https://data.test/")
    assert (where, "add “file”" in message) == ("0", True)
    assert faults(url="https://data.test/", file="x.conllu") == []


def test_a_name_is_given_once_and_never_instead_of_a_shipped_one() -> None:
    entries, wrong = read([TABLE, TABLE, {**TABLE, "name": OFFICIAL}], ("dataset",))
    assert len(entries) == 1
    assert [fault.where for fault in wrong] == [("dataset", 1, "name"), ("dataset", 2, "name")]
    assert all("is taken" in fault.message for fault in wrong)


def test_every_shipped_data_set_is_pinned_and_has_its_terms() -> None:
    assert len(shipped()) == 4
    for name, entry in shipped().items():
        assert entry.name == name
        assert entry.url.startswith("https://")
        assert entry.size is not None
        assert not entry.commit or entry.commit in entry.url
        assert entry.commit or entry.version in entry.url or name == OFFICIAL
        assert re.search(
            r"never train" if entry.kind == "gold" else r"process of its own", entry.note
        )
    licences = [entry.licence for entry in shipped().values()]
    assert licences == ["CC-BY-SA-4.0", "CC-BY-NC-SA-2.5", "CC-BY-NC-SA-3.0", "MPL-2.0"]
    assert shipped()[OFFICIAL].kind == "script"


def test_the_pinned_hash_of_english_ewt_is_that_of_the_fold(shared: Path) -> None:
    data = (shared / "data" / "ud" / "en_ewt.gold.conllu").read_bytes()
    entry = shipped()["en_ewt-test-r2.15"]
    assert (hashlib.sha256(data).hexdigest(), len(data)) == (entry.sha256, entry.size)


def test_a_name_that_is_none_and_a_script_that_is_no_gold() -> None:
    assert registry.unknown("en_ewt-test", shipped()) == (
        "there is no data set “en_ewt-test”; did you mean “en_ewt-test-r2.15”?"
    )
    assert "goldlens data list" in registry.unknown("zzz", shipped())
    assert registry.no_gold(shipped()["en_ewt-test-r2.15"]) is None
    assert "is a script" in str(registry.no_gold(shipped()[OFFICIAL]))
