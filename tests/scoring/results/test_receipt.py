"""Receipts: the same inputs always give the same id, and any changed field another."""

from __future__ import annotations

import hashlib
import json
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from goldlens.scoring.results.receipt import Receipt, canonical

A, B = "a" * 64, "b" * 64

FIELDS: dict[str, Any] = {
    "scores": {"LAS": {"f1": 75.0, "correct": 9, "gold": 12}, "ELAS": None},
    "signature": "goldlens|task:ud|version:0.1.0",
    "gold_sha256": A,
    "pred_sha256": B,
    "scorer_sha256": "c" * 64,
    "data_manifest_sha256": "",
    "model_id": "modèle-1",
    "treebank": "UD_English-EWT",
    "split": "test",
    "protocol": "raw text",
    "extra": {"seeds": [1, 2], "rate": 0.1},
    "version": "0.1.0",
}


def test_the_id_of_these_fields() -> None:
    """The canonical text, written out, and hashed by hand."""
    text = (
        '{"data_manifest_sha256":"","extra":{"rate":0.1,"seeds":[1,2]},'
        f'"gold_sha256":"{A}","model_id":"modèle-1","pred_sha256":"{B}",'
        f'"protocol":"raw text","scorer_sha256":"{"c" * 64}",'
        '"scores":{"ELAS":null,"LAS":{"correct":9,"f1":75.0,"gold":12}},'
        '"signature":"goldlens|task:ud|version:0.1.0","split":"test",'
        '"treebank":"UD_English-EWT","version":"0.1.0"}'
    )
    expected = hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
    assert Receipt(**FIELDS).id == expected == "2415c45b5b2a498d"


def test_the_order_in_which_things_are_said_does_not_matter() -> None:
    backwards = {name: FIELDS[name] for name in reversed(FIELDS)}
    backwards["scores"] = dict(reversed(FIELDS["scores"].items()))
    assert Receipt(**backwards).id == Receipt(**FIELDS).id


@pytest.mark.parametrize(
    "change",
    [
        {"scores": {**FIELDS["scores"], "UAS": 1}},
        {"scores": {"LAS": {"f1": 75.00000000000001, "correct": 9, "gold": 12}, "ELAS": None}},
        {"signature": "x"},
        {"gold_sha256": B},
        {"pred_sha256": A},
        {"scorer_sha256": ""},
        {"data_manifest_sha256": A},
        {"model_id": "modele-1"},
        {"treebank": ""},
        {"split": "dev"},
        {"protocol": ""},
        {"extra": {}},
        {"version": "0.1.1"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_any_changed_field_gives_another_id(change: dict[str, Any]) -> None:
    receipt, other = Receipt(**FIELDS), Receipt(**{**FIELDS, **change})
    assert receipt.id != other.id
    assert not receipt.verify(other) and not other.verify(receipt)


def test_it_comes_back_from_a_dict_and_from_json() -> None:
    receipt = Receipt(**FIELDS)
    for again in (Receipt.from_dict(receipt.as_dict()), Receipt.from_json(receipt.as_json())):
        assert again == receipt
        assert again.verify() and again.verify(receipt) and receipt.verify(again)
        assert again.as_json() == receipt.as_json()


def test_as_dict_has_every_field_as_plain_json() -> None:
    found = Receipt(**FIELDS).as_dict()
    assert json.loads(json.dumps(found)) == found
    assert {name: found[name] for name in FIELDS} == FIELDS
    assert set(found) == {*FIELDS, "id"}


@pytest.mark.parametrize("name", [name for name in FIELDS if name != "scores"])
def test_a_field_changed_behind_the_ids_back_is_found_out(name: str) -> None:
    found = Receipt(**FIELDS).as_dict()
    found[name] = {"a": 1} if name == "extra" else "d" * 64
    forged = Receipt.from_dict(found)
    assert not forged.verify()
    assert not forged.verify(forged)
    assert not Receipt(**FIELDS).verify(forged)


def test_a_claimed_id_that_is_another_is_found_out() -> None:
    forged = replace(Receipt(**FIELDS), id="0" * 16)
    assert not forged.verify()


def test_it_is_frozen_all_the_way_down() -> None:
    scores = {"LAS": {"f1": 75.0}}
    receipt = Receipt(**{**FIELDS, "scores": scores})
    scores["LAS"]["f1"] = 99.0
    assert receipt.scores["LAS"]["f1"] == 75.0
    with pytest.raises(FrozenInstanceError):
        receipt.split = "dev"  # type: ignore[misc]
    with pytest.raises(TypeError):
        receipt.scores["LAS"]["f1"] = 99.0
    receipt.as_dict()["extra"]["rate"] = 2
    assert receipt.verify()
    assert len({receipt, Receipt.from_dict(receipt.as_dict())}) == 1


def test_without_a_version_it_is_the_packages() -> None:
    given = {name: value for name, value in FIELDS.items() if name != "version"}
    assert Receipt(**given).version


def test_a_buffer_that_nobody_saved_has_no_hash() -> None:
    assert Receipt(**{**FIELDS, "pred_sha256": "unsaved buffer"}).verify()


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"gold_sha256": "abc"}, "64 hex digits"),
        ({"gold_sha256": "A" * 64}, "64 hex digits"),
        ({"split": None}, "split is None"),
        ({"scores": 3}, "scores is no object"),
        ({"scores": {"LAS": float("nan")}}, "not JSON compliant"),
        ({"extra": {"a": [float("inf")]}}, "not JSON compliant"),
        ({"extra": {1: 2}}, "the key 1 is no text"),
        ({"extra": {"a": {1, 2}}}, "only what JSON can say"),
        ({"model_id": "\ud800"}, "only what JSON can say"),
    ],
)
def test_what_cannot_be_recorded(change: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        Receipt(**{**FIELDS, **change})


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[", "no JSON .line 1"),
        ("[]", "no JSON object"),
        ("[" * 100_000, "too deeply"),
        ('{"a": NaN}', "NaN is no number"),
        ('{"a": 1, "a": 2}', "stands twice"),
        ('{"a": 1}', "no field 'a'"),
        ("{}", "has no scores"),
    ],
)
def test_what_is_no_receipt(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        Receipt.from_json(text)


def test_a_receipt_without_an_id_is_none() -> None:
    found = Receipt(**FIELDS).as_dict()
    with pytest.raises(ValueError, match="has no id"):
        Receipt.from_dict({**found, "id": ""})


def test_the_canonical_form() -> None:
    value = {"b": [1, 1.0, 0.1, None, True], "a": "é\n\u2028", "A": {}}
    assert canonical(value) == '{"A":{},"a":"é\\n\u2028","b":[1,1.0,0.1,null,true]}'.encode()
