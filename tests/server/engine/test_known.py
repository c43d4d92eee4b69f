from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from goldlens.server.engine.known import Units

SIZE = 300


def made(first: int, stop: int) -> list[Any]:
    return [f"unit {k}" for k in range(first, stop)]


def waiting() -> Units:
    return Units(list(range(SIZE)), made)


def test_units_are_made_when_asked_for() -> None:
    units = waiting()
    assert units.waiting == SIZE == len(units)
    assert units[100] == "unit 100"
    assert units.waiting == SIZE - 64
    assert units[-1] == "unit 299"
    assert units[2:5] == ["unit 2", "unit 3", "unit 4"]
    assert units.waiting == SIZE - 64 - 44 - 3
    assert list(units) == made(0, SIZE)
    assert units.waiting == 0


def test_what_was_made_stays() -> None:
    units = waiting()
    assert units[7] is units[7] is units[0:9][7] is list(units)[7]


INDEX = st.integers(-SIZE, SIZE - 1)
STEPS = st.one_of(
    st.tuples(st.just("get"), INDEX, INDEX),
    st.tuples(st.just("slice"), INDEX, INDEX),
    st.tuples(st.just("step"), INDEX, st.sampled_from((-7, -1, 2, 5))),
    st.tuples(st.just("put"), INDEX, st.integers(0, 3)),
    st.tuples(st.just("delete"), INDEX, st.integers(0, 90)),
    st.tuples(st.just("set"), INDEX, INDEX),
    st.tuples(st.just("insert"), INDEX, INDEX),
    st.tuples(st.just("all"), INDEX, INDEX),
)


@given(st.lists(STEPS, max_size=12))
def test_it_is_as_if_all_had_been_made_at_once(steps: list[tuple[str, int, int]]) -> None:
    units, model = waiting(), made(0, SIZE)
    for what, a, b in steps:
        at = max(-len(model), min(a, len(model) - 1))
        if what == "slice":
            assert units[a:b] == model[a:b]
        elif what == "step":
            assert units[a::b] == model[a::b]
        elif what == "put":
            units[a : a + b] = model[a : a + b] = [f"new {k}" for k in range(b)]
        elif what == "delete":
            del units[a : a + b], model[a : a + b]
        elif what == "insert":
            units.insert(a, "put in")
            model.insert(a, "put in")
        elif what == "all":
            assert list(reversed(units)) == model[::-1]
        elif model and what == "get":
            assert units[at] == model[at]
        elif model:
            units[at] = model[at] = "set"
    assert len(units) == len(model)
    assert units == model
    assert list(units) == model
