"""What is read from a client's capabilities, whatever they look like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.server.engine.positions import Encoding
from goldlens.server.lsp.client import Client

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["general", "positionEncodings", "textDocument", "diagnostic", "workspace", "x"]
            ),
            inner,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_nothing_raises(capabilities: object) -> None:
    Client.of(capabilities)


def test_a_client_that_says_nothing() -> None:
    assert Client.of({}) == Client(Encoding.UTF16, False, False, False, False, False)


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        ({"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}, "related"),
        ({"textDocument": {"diagnostic": {"relatedInformation": True}}}, "related pulls"),
        ({"textDocument": {"diagnostic": {}}}, "pulls"),
        ({"workspace": {"diagnostics": {"refreshSupport": True}}}, "refresh"),
        ({"window": {"workDoneProgress": True}}, "progress"),
        ({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}, "watches"),
        ({"window": {"workDoneProgress": 1}}, ""),
    ],
)
def test_abilities(capabilities: object, expected: str) -> None:
    client = Client.of(capabilities)
    names = ("related", "pulls", "refresh", "progress", "watches")
    assert [name for name in names if getattr(client, name)] == expected.split()
