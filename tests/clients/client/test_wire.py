"""Messages to bytes and back, whole or in pieces, and what is no message."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.client import wire
from goldlens.client.conversation import Answer, Conversation
from goldlens.client.errors import BadFrame, CallFailed, CallWrong
from goldlens.client.events import Gone, Scores
from goldlens.client.wire import Messages, Notification, Response

packed = msgpack.packb


def test_a_request_is_an_array_of_four() -> None:
    data = wire.request(3, "goldlens.score", {"uri": "file:///ü"})
    assert msgpack.unpackb(data) == [0, 3, "goldlens.score", [{"uri": "file:///ü"}]]


def test_a_notification_is_an_array_of_three() -> None:
    assert msgpack.unpackb(wire.notification("cancel", {"msgid": 3})) == [
        2,
        "cancel",
        [{"msgid": 3}],
    ]


@given(st.binary(max_size=30), st.integers(1, 40))
def test_messages_are_the_same_in_whatever_pieces_they_come(text: bytes, step: int) -> None:
    wanted = [
        Response(0, None, {"data": text}),
        Response(1, (0, "no gold"), None),
        Notification("goldlens/gone", {"uri": "file:///ü"}),
        Notification("goldlens/later", {}),
    ]
    data = (
        packed([1, 0, None, {"data": text}])
        + packed([1, 1, [0, "no gold"], None])
        + packed([2, "goldlens/gone", [{"uri": "file:///ü"}]])
        + packed([2, "goldlens/later", []])
    )
    messages = Messages()
    found = [
        message
        for at in range(0, len(data), step)
        for message in messages.feed(data[at : at + step])
    ]
    assert found == wanted


@pytest.mark.parametrize(
    "value",
    [
        7,
        None,
        "text",
        {},
        [],
        [1, 0, None],
        [1, "0", None, None],
        [1, 0, "an error", None],
        [1, 0, [0], None],
        [2, 3, [{}]],
        [2, "m", {}],
        [2, "m", [{}, {}]],
        [2, "m", [[1]]],
        [2, "m", [{1: 2}]],
        [0, 0, "hello", [{}]],
        [3, 0, None, None],
    ],
)
def test_what_has_another_form_is_no_message(value: Any) -> None:
    with pytest.raises(BadFrame):
        list(Messages().feed(packed(value)))


@pytest.mark.parametrize(
    "data",
    [
        b"\xc1",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\x94\x01\x00\xc0\xa2\xff\xff",  # a string that is no UTF-8
        b"\x91" * 5000,
        b"\xdd\xff\xff\xff\xff",  # an array of 4,294,967,295
        b"\xdf\xff\xff\xff\xff",
        b"\xdd\x00\x80\x00\x00",  # one of 8,388,608, for which memory would be taken at once
    ],
)
def test_what_is_no_messagepack_is_refused(data: bytes) -> None:
    with pytest.raises(BadFrame):
        list(Messages().feed(data))


def test_a_message_may_be_as_large_as_the_bound() -> None:
    data = packed([1, 0, None, "x" * 1000])
    assert list(Messages(len(data)).feed(data))
    with pytest.raises(BadFrame, match="too large"):
        list(Messages(len(data) - 1).feed(data))


def test_a_request_that_no_daemon_would_take_is_not_sent() -> None:
    with pytest.raises(CallWrong, match=r"goldlens\.rows: the request has 1,048,6.. bytes"):
        wire.request(0, "goldlens.rows", {"uri": "x" * (1 << 20)})


@pytest.mark.parametrize("value", [object(), {1, 2}, 1 << 70, "\udcff"])
def test_what_cannot_be_sent_is_told(value: object) -> None:
    with pytest.raises(CallWrong, match="cannot be sent"):
        wire.request(0, "goldlens.rows", {"uri": value})


def test_answers_find_their_requests_by_number() -> None:
    talk = Conversation()
    first, _ = talk.request("goldlens.score", {})
    second, _ = talk.request("goldlens.rows", {})
    data = packed([1, second, None, "rows"]) + packed([1, first, [0, "no gold"], None])
    late, early = talk.receive(data)
    assert late == Answer(second, None, "rows")
    assert isinstance(early, Answer)
    with pytest.raises(CallFailed, match=r"^no gold$"):
        early.get()


def test_an_error_of_kind_1_is_a_wrong_call() -> None:
    talk = Conversation()
    talk.request("goldlens.scroe", {})
    (answer,) = talk.receive(packed([1, 0, [1, "unknown method"], None]))
    assert isinstance(answer, Answer)
    with pytest.raises(CallWrong, match=r"^unknown method$"):
        answer.get()


def test_an_answer_to_nothing_is_refused() -> None:
    talk = Conversation()
    for number in (0, -1):
        with pytest.raises(BadFrame, match="never asked"):
            list(talk.receive(packed([1, number, None, None])))


def test_what_a_daemon_tells_is_an_event_and_what_is_unknown_is_passed_over() -> None:
    found = list(
        Conversation().receive(
            packed([2, "goldlens/scores", [{"uri": "file:///a"}]])
            + packed([2, "goldlens/later", [{"uri": "file:///a"}]])
            + packed([2, "goldlens/gone", [{"uri": "file:///a"}]])
        )
    )
    assert found == [Scores({"uri": "file:///a"}), Gone({"uri": "file:///a"})]


def test_an_event_about_nothing_is_refused() -> None:
    with pytest.raises(BadFrame, match="without a uri"):
        list(Conversation().receive(packed([2, "goldlens/scores", [{}]])))


def test_the_last_words_of_a_daemon_are_in_the_error() -> None:
    talk = Conversation()
    assert str(talk.ended()) == "the daemon ended the connection; connect again"
    assert not list(talk.receive(packed([2, "goldlens/error", [{"message": "too large"}]])))
    assert str(talk.ended()) == "the daemon ended the connection (too large); connect again"
