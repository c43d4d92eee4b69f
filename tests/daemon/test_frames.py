"""Whatever a client sends or does not read: it gets an error, or its connection ends, and nobody
else notices.
"""

from __future__ import annotations

import json
import random
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgpack
import pytest

from tests.daemon.conftest import Connect, Start, Work
from tests.daemon.session import HELLO, WRONG, Daemon, Rpc, RpcError, as_editor, until

pytestmark = pytest.mark.usefixtures("witness")

MIB = 1 << 20
GROWTH = 48 * MIB
"""So much the daemon may have grown by anything that a client sends it."""


def scores(uri: str, times: int) -> bytes:
    """So many requests of a score."""
    asked = [[0, 1000 + k, "goldlens.score", [{"uri": uri}]] for k in range(times)]
    return b"".join(msgpack.packb(each) for each in asked)


def status(size: int, number: int = 9) -> bytes:
    """A request of just so many bytes."""
    empty = len(msgpack.packb([0, number, "status", [{"padding": b"\0" * 70_000}]])) - 70_000
    data: bytes = msgpack.packb([0, number, "status", [{"padding": b"\0" * (size - empty)}]])
    assert len(data) == size, "a size of more than 70,000 is needed"
    return data


# Frames that are none

BOMBS = {
    "an array of 4 G": b"\xdd\xff\xff\xff\xff",
    "a map of 4 G": b"\xdf\xff\xff\xff\xff",
    "an array of 1025": b"\x94\x00\x09\xa1x\xdc\x04\x01",
    "a map of 1025": b"\x94\x00\x09\xa1x\x91\xde\x04\x01",
    "an ext of one byte": b"\x94\x00\x09\xa1x\x91\xd4\x05\x00",
    "arrays in arrays": b"\x94\x00\x09\xa1x" + b"\x91" * 5000,
    "maps in maps": b"\x94\x00\x09\xa1x" + b"\x81\xa1a" * 5000,
    "arrays of 1024 in arrays of 1024": b"\xdc\x04\x00" * 5000,
    "a key that is an array": b"\x94\x00\x09\xa1x\x91\x81\x90\x00",
    "a key that is a number": b"\x94\x00\x09\xa1x\x91\x81\x05\x00",
    "a byte that is never used": b"\xc1",
    "a str that is no UTF-8": b"\x94\x00\x09\xa2\xff\xfe\x90",
    "a half surrogate": b"\x94\x00\x09\xa3\xed\xa0\x80\x90",
}

OTHERS = {
    "nothing": None,
    "a number": 7,
    "an empty array": [],
    "an object": {},
    "a response": [1, 1, None, {}],
    "a notification of type 2.0": [2.0, "status", []],
    "a type of message that there is not": [3, "x", []],
    "a type that is a bool": [False, 9, "status", []],
    "a type that is a fraction": [0.5, 9, "status", []],
    "a negative number": [0, -1, "status", []],
    "a number of 33 bits": [0, 1 << 32, "status", []],
    "a number that is a bool": [0, True, "status", []],
    "a method in bytes": [0, 9, b"status", []],
    "a method that is a number": [0, 9, 9, []],
    "params that are an object": [0, 9, "status", {}],
    "params that are missing": [0, 9, "status"],
    "params and more": [0, 9, "status", [], []],
    "a notification with a number": [2, 9, "cancel", []],
}


@pytest.mark.parametrize("data", BOMBS.values(), ids=BOMBS.keys())
@pytest.mark.parametrize("greet", [True, False], ids=["known", "unknown"])
def test_what_is_no_frame_ends_the_connection(connect: Connect, data: bytes, greet: bool) -> None:
    rpc = connect(greet=greet)
    rpc.raw(data)
    [[_, method, [told]]] = rpc.ended()
    assert method == "goldlens/error"
    assert told["message"].startswith("the connection ends: ")


@pytest.mark.parametrize("message", OTHERS.values(), ids=OTHERS.keys())
def test_what_is_no_message_ends_the_connection(rpc: Rpc, message: object) -> None:
    rpc.send(message)
    [[_, method, [told]]] = rpc.ended()
    assert (method, "expected [0, msgid, method, params]" in told["message"]) == (
        "goldlens/error",
        True,
    )


def test_a_frame_may_have_a_mebibyte(rpc: Rpc) -> None:
    rpc.raw(status(MIB))
    assert rpc.answer(9)["protocol"] == 1
    rpc.raw(status(MIB + 1))
    [[_, _, [told]]] = rpc.ended()
    assert told["message"] == "the connection ends: a message of more than 1,048,576 bytes"


def test_frames_follow_one_another_in_any_pieces(rpc: Rpc) -> None:
    rpc.raw(status(MIB, 21) + status(MIB, 22) + status(100_000, 23))
    assert [rpc.answer(number)["protocol"] for number in (21, 22, 23)] == [1, 1, 1]
    for byte in msgpack.packb([0, 24, "status", []]):
        rpc.raw(bytes([byte]))
    assert rpc.answer(24)["protocol"] == 1


@pytest.mark.parametrize(
    ("begun", "piece"),
    [
        (b"\xdb\xff\xff\xff\xff", b"a"),  # a str, a bin and an ext of 4 GB
        (b"\xc6\xff\xff\xff\xff", b"a"),
        (b"\xc9\xff\xff\xff\xff\x05", b"a"),
        (b"\x94\x00\x09\xa1x\x91\xdb\x00\x0f\xff\xff" + b"a" * 0xFFFFF, b"a"),
        (b"\xdc\x04\x00", b"\xdc\x04\x00" + b"\x90" * 1024),  # arrays that go on
        (b"\xdc\x04\x00", b"\xdc\x04\x00" + b"\xdb\x00\x00\x00\x00" * 1024),
    ],
)
def test_a_frame_that_never_ends(
    connect: Connect, common: Daemon, begun: bytes, piece: bytes
) -> None:
    rpc = connect()
    before = common.resident()
    with pytest.raises(OSError):
        rpc.raw(begun)
        for _ in range(1000):
            rpc.raw(piece * (65_536 // len(piece)))
    told = rpc.ended()
    assert told == [] or told[0][1] == "goldlens/error"
    assert common.resident() < before + GROWTH


def test_a_frame_that_stops_half_way_can_wait(connect: Connect, rpc: Rpc) -> None:
    waits = connect()
    waits.raw(status(MIB)[:-1])
    assert rpc.call("status")["protocol"] == 1
    waits.raw(status(MIB)[-1:])
    assert waits.answer(9)["protocol"] == 1


def test_random_bytes(common: Daemon) -> None:
    chance = random.Random(4)
    before = common.resident()
    for _ in range(1500):
        data = chance.randbytes(chance.choice((1, 5, 40, 400, 4000)))
        tried(common, (HELLO if chance.random() < 0.7 else b"") + data)
    assert common.resident() < before + GROWTH


def test_real_messages_with_a_few_bytes_changed(common: Daemon, common_work: Work) -> None:
    chance = random.Random(5)
    real = [msgpack.packb(message) for message in calls(common_work)]
    before = common.resident()
    for _ in range(1500):
        data = bytearray(b"".join(chance.choices(real, k=3)))
        for _ in range(chance.choice((1, 1, 2, 8))):
            where = chance.randrange(len(data))
            change = chance.randrange(3)
            if change == 0:
                data[where] = chance.randrange(256)
            elif change == 1:
                del data[where : where + chance.randrange(1, 4)]
            else:
                data[where:where] = chance.randbytes(chance.randrange(1, 4))
        if b"\xa3end" not in data:
            tried(common, HELLO + bytes(data))
    assert common.resident() < before + GROWTH


def tried(daemon: Daemon, data: bytes) -> None:
    """Sends bytes and no more; all that comes back must be messages, and then it must end."""
    with daemon.dial() as sock:
        sock.settimeout(20)
        unpacker = msgpack.Unpacker()
        try:
            sock.sendall(data)
            sock.shutdown(socket.SHUT_WR)
            while piece := sock.recv(1 << 16):
                unpacker.feed(piece)
        except (BrokenPipeError, ConnectionResetError):
            return
        for message in unpacker:
            assert message[0] in (1, 2)


def calls(work: Work) -> list[list[Any]]:
    """A message of each kind there is, but `end`."""
    asked: list[tuple[str, dict[str, Any]]] = [
        ("hello", {"version": "1", "client": "test", "token": "x"}),
        ("goldlens.score", {"uri": work.one}),
        ("goldlens.score", {"uri": work.aside}),
        ("goldlens.rows", {"uri": work.one, "format": "json", "metrics": ["LAS"], "resamples": 9}),
        ("goldlens.compare", {"uri": work.one, "other": work.two, "resamples": 9}),
        ("goldlens.receipt", {"uri": work.one, "policy": "lenient"}),
        ("goldlens.setGold", {"uri": work.aside, "gold": work.uri("gold.conllu")}),
        ("goldlens.pairs", {}),
        ("goldlens.tree", {"uri": work.one, "line": 1}),
        ("subscribe", {"scores": True, "problems": True}),
        ("unsubscribe", {}),
        ("status", {}),
    ]
    requests = [[0, 5 + k, name, [params]] for k, (name, params) in enumerate(asked)]
    return [*requests, [2, "cancel", [{"msgid": 7}]]]


# Hello


def test_nothing_goes_before_hello(connect: Connect) -> None:
    for method in ("status", "end", "lsp", "subscribe", "goldlens.pairs", "nonsense"):
        rpc = connect(greet=False)
        with pytest.raises(RpcError, match="the first call must be hello") as caught:
            rpc.call(method)
        assert caught.value.kind == WRONG
        rpc.ended()


def test_a_wrong_hello_ends_it(connect: Connect) -> None:
    for params in ([1], [None], [{}, {}], ["token"], [[]]):
        rpc = connect(greet=False)
        rpc.send([0, 1, "hello", params])
        with pytest.raises(RpcError) as caught:
            rpc.answer(1)
        assert caught.value.kind == WRONG
        rpc.ended()


def test_hello_may_be_said_again(rpc: Rpc) -> None:
    assert rpc.call("hello") == rpc.call("hello") == rpc.greeted
    assert rpc.call("status")["connections"] >= 1


def test_a_notification_before_hello_is_passed_over(connect: Connect) -> None:
    rpc = connect(greet=False)
    rpc.send([2, "cancel", [{"msgid": 1}]], [2, "subscribe", []], [0, 1, "hello", []])
    assert rpc.answer(1)["protocol"] == 1


@pytest.fixture(scope="module", autouse=True)
def silent(common: Daemon) -> Iterator[Rpc]:
    """A connection on which nothing is ever said, from the first test on."""
    rpc = Rpc(common.dial(), greet=False)
    yield rpc
    rpc.close()


def test_who_says_nothing_is_sent_away(silent: Rpc) -> None:
    [[_, method, [told]]] = silent.ended()
    assert (method, told) == ("goldlens/error", {"message": "no hello within 10 seconds"})


# Calls that are wrong

WRONG_VALUES = (None, True, -1, 1 << 63, 0.5, float("nan"), "", "x" * 9000, b"\0", [], [[[]]], {})
URIS = (
    "",
    "x",
    "file:",
    "file://[",
    "file:///\0",
    "file:///%00",
    "file:///%ff",
    "///",
    "http://x/y",
)


def test_wrong_values_are_answered_with_an_error(rpc: Rpc, common_work: Work) -> None:
    for _, number, method, params in (call for call in calls(common_work) if call[0] == 0):
        if method in ("hello", "status", "unsubscribe", "goldlens.pairs"):
            continue
        for key in params[0]:
            for value in WRONG_VALUES:
                rpc.send([0, number, method, [{**params[0], key: value}]])
                with_error(rpc, number)


def test_uris_that_name_no_file(rpc: Rpc, common_work: Work) -> None:
    for uri in URIS:
        for _, number, method, params in (call for call in calls(common_work) if call[0] == 0):
            for key in params[0].keys() & {"uri", "other", "gold"}:
                rpc.send([0, number, method, [{**params[0], key: uri}]])
                with_error(rpc, number)


def with_error(rpc: Rpc, number: int) -> None:
    """An answer, be it that the value was good after all; never that the daemon has a fault."""
    try:
        rpc.answer(number)
    except RpcError as error:
        assert "internal error" not in str(error)


@pytest.mark.parametrize("params", [[1], ["x"], [None], [[]], [{}, {}], [b"x"], [{}] * 1024])
def test_params_are_one_object_or_none(rpc: Rpc, params: list[object]) -> None:
    for method in ("status", "subscribe", "goldlens.pairs", "goldlens.score", "lsp", "end"):
        rpc.send([0, 7, method, params])
        with pytest.raises(RpcError, match="expected") as caught:
            rpc.answer(7)
        assert caught.value.kind == WRONG


def test_names_that_are_in_bytes_are_unknown(rpc: Rpc, common_work: Work) -> None:
    rpc.send([0, 7, "goldlens.score", [{b"uri": common_work.one}]])
    with pytest.raises(RpcError, match="expects “uri”"):
        rpc.answer(7)
    rpc.send([0, 8, "goldlens.score", [{"uri": common_work.one, b"\xff": 1}]])
    with pytest.raises(RpcError, match="unknown argument bytes"):
        rpc.answer(8)


def test_names_of_a_mebibyte_are_not_kept(rpc: Rpc, common: Daemon) -> None:
    before = common.resident()
    for number in range(100):
        for method in ("goldlens.score", "goldlens.tree"):
            rpc.send([0, number, method, [{"uri": f"/{number}" + "x" * 1_000_000, "line": 0}]])
            with_error(rpc, number)
    assert common.resident() < before + GROWTH


def test_an_unknown_method_is_told_which_there_are(rpc: Rpc) -> None:
    with pytest.raises(RpcError) as caught:
        rpc.call("goldlens.scores" * 1000)
    assert caught.value.kind == WRONG
    assert "goldlens.score, goldlens.rows" in str(caught.value)
    assert len(str(caught.value)) < 500


def test_unknown_notifications_are_passed_over(rpc: Rpc) -> None:
    rpc.send([2, "nonsense", [{}]], [2, "status", []], [2, "", [None, None]])
    for params in ([], [None], [{}], [{"msgid": "1"}], [{"msgid": None}], [{"msgid": 77}], [1, 2]):
        rpc.send([2, "cancel", params])
    assert rpc.call("status")["protocol"] == 1


def test_subscribe_with_wrong_types(rpc: Rpc) -> None:
    for params in ({"scores": 1}, {"problems": "yes"}, {"scores": None}, {"problems": []}):
        with pytest.raises(RpcError, match="to be true or false") as caught:
            rpc.call("subscribe", **params)
        assert caught.value.kind == WRONG


def test_a_number_in_use_is_refused_and_the_first_call_goes_on(rpc: Rpc, common_work: Work) -> None:
    rows = {"uri": common_work.one, "format": "json", "resamples": 1000}
    rpc.send([0, 7, "goldlens.rows", [rows]], [0, 7, "status", []])
    with pytest.raises(RpcError, match="7 is in use for another call"):
        rpc.answer(7)
    assert "LAS" in rpc.answer(7)


def test_cancelled_calls_say_so(rpc: Rpc, common_work: Work) -> None:
    rows = {"uri": common_work.one, "format": "json", "resamples": 20_000}
    rpc.send([0, 7, "goldlens.rows", [rows]], [2, "cancel", [{"msgid": 7}]])
    with pytest.raises(RpcError, match=r"^cancelled$") as caught:
        rpc.answer(7)
    assert caught.value.kind == 0


# Ends


def test_the_answers_of_who_stops_talking_still_come(rpc: Rpc, common_work: Work) -> None:
    for number in range(40, 50):
        rpc.send([0, number, "goldlens.pairs", []])
    rpc.say_no_more()
    for number in range(40, 50):
        assert len(rpc.answer(number)) == 2
    rpc.ended()


@pytest.mark.parametrize("subscribed", [False, True], ids=["", "subscribed"])
@pytest.mark.parametrize("asks", [False, True], ids=["", "asking"])
def test_who_hangs_up_is_gone(
    common: Daemon, common_work: Work, rpc: Rpc, asks: bool, subscribed: bool
) -> None:
    other = Rpc(common.dial())
    if subscribed:
        other.call("subscribe", problems=True)
    if asks:
        other.ask("goldlens.rows", uri=common_work.one, format="json", resamples=2000)
    before = rpc.call("status")["connections"]
    other.close()
    until(lambda: rpc.call("status")["connections"] == before - 1)


def test_half_a_frame_and_then_the_end(common: Daemon) -> None:
    for data in (b"", HELLO[:5], HELLO + status(80_000)[:-1]):
        tried(common, data)


def test_hanging_up_in_the_middle_of_a_long_answer(common: Daemon, common_work: Work) -> None:
    tree = msgpack.packb([0, 3, "goldlens.tree", [{"uri": common_work.one, "line": 1}]])
    for _ in range(20):
        with common.dial() as sock:
            sock.sendall(HELLO + tree * 2000)
            assert sock.recv(100)


def test_what_is_left_of_many_connections_is_nothing(common: Daemon) -> None:
    def visit(times: int) -> None:
        for _ in range(times):
            Rpc(common.dial()).close()

    visit(50)
    before = common.resident()
    files = len(list(Path(f"/proc/{common.process.pid}/fd").iterdir()))
    visit(400)
    assert common.resident() < before + 4 * MIB
    until(lambda: len(list(Path(f"/proc/{common.process.pid}/fd").iterdir())) <= files + 1)


# Editors


def framed(message: object) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


INITIALIZE = framed(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"processId": None, "rootUri": None, "capabilities": {}},
    }
)


def read_to_end(sock: socket.socket) -> bytes:
    found = b""
    while data := sock.recv(1 << 16):
        found += data
    return found


def test_an_editor_is_served(common: Daemon, rpc: Rpc) -> None:
    with as_editor(common) as editor:
        assert rpc.call("status")["editors"] == 1
        editor.sendall(INITIALIZE)
        assert b'"capabilities"' in editor.recv(1 << 16)
    until(lambda: rpc.call("status")["editors"] == 0)


def test_lsp_on_a_connection_for_calls(connect: Connect) -> None:
    for greet in (True, False):
        rpc = connect(greet=greet)
        rpc.raw(INITIALIZE)
        assert rpc.ended()[-1][1] == "goldlens/error"


def test_calls_on_a_connection_for_lsp(common: Daemon, rpc: Rpc) -> None:
    for data in (HELLO, status(80_000), b"\xc1" * 100_000, random.Random(6).randbytes(10_000)):
        with as_editor(common) as editor:
            editor.sendall(data + b"\r\n\r\n")
            assert b"\x94\x01" not in read_to_end(editor)
    until(lambda: rpc.call("status")["editors"] == 0)


def test_lsp_has_to_wait_for_the_answer(rpc: Rpc) -> None:
    rpc.raw(msgpack.packb([0, 2, "lsp", []]) + INITIALIZE)
    with pytest.raises(RpcError, match="its answer has to be awaited"):
        rpc.answer(2)
    rpc.ended()


def test_a_connection_in_use_does_not_become_an_editor(rpc: Rpc) -> None:
    rpc.call("subscribe")
    with pytest.raises(RpcError, match="speak LSP on one of its own"):
        rpc.call("lsp")
    rpc.call("unsubscribe")
    assert rpc.call("lsp") is None


# Clients that do not read


@pytest.fixture
def problems(start: Start, work: Work) -> Callable[..., Daemon]:
    """Starts a daemon of predictions with many problems, by default with little patience."""

    def begin(patience: int = 1) -> Daemon:
        many, gold = work.wrong * 400, work.gold * 400
        work.path("gold.conllu").write_text(gold, "utf-8")
        for number in range(8):
            work.path(f"runs/many{number}.conllu").write_text(many, "utf-8")
        return start("--patience", str(patience))

    return begin


def test_a_subscriber_that_never_reads(
    problems: Callable[..., Daemon], work: Work, connect: Connect
) -> None:
    daemon = problems()
    reads, stuck = connect(daemon), connect(daemon, greet=False)
    stuck.reading.clear()
    stuck.send([0, 1, "hello", []], [0, 2, "subscribe", [{"problems": True}]])
    reads.call("subscribe")
    uri = work.uri("runs/many0.conllu")
    reads.about("goldlens/scores", uri)
    before = daemon.resident()
    for number in range(5):
        text = work.wrong * 399 + (work.gold if number % 2 == 0 else work.wrong)
        work.path("runs/many0.conllu").write_text(text, "utf-8")
        reads.about("goldlens/scores", uri)
    until(lambda: reads.call("status")["connections"] == 1)
    assert daemon.resident() < before + GROWTH
    until(lambda: "read nothing for 1 seconds is cut off" in daemon.said())


def test_a_slow_reader_gets_the_last_state(
    problems: Callable[..., Daemon], work: Work, connect: Connect
) -> None:
    daemon = problems(patience=60)
    slow, other = connect(daemon), connect(daemon)
    slow.reading.clear()
    number = slow.ask("subscribe", problems=True)
    other.call("subscribe")
    uri = work.uri("runs/many7.conllu")
    other.about("goldlens/scores", uri)
    for text in (work.wrong * 399 + work.gold, work.gold * 400):
        work.path("runs/many7.conllu").write_text(text, "utf-8")
        other.about("goldlens/scores", uri)
    slow.reading.set()
    slow.answer(number)
    assert slow.about("goldlens/scores", uri)["metrics"]["LAS"]["f1"] == 100


def test_a_caller_that_never_reads(
    problems: Callable[..., Daemon], work: Work, connect: Connect
) -> None:
    daemon = problems()
    rpc = connect(daemon)
    uri = work.uri("runs/many0.conllu")
    rpc.call("goldlens.score", uri=uri)
    before = daemon.resident()
    calls = scores(uri, 10_000)
    with daemon.dial() as sock:
        sock.settimeout(5)
        sock.sendall(HELLO)
        with pytest.raises(OSError):
            # The daemon takes no more after a while, and then cuts it off.
            for _ in range(100):
                sock.sendall(calls)
        assert daemon.resident() < before + GROWTH
    until(lambda: rpc.call("status")["connections"] == 1)
    assert rpc.call("goldlens.score", uri=uri)["metrics"]


def test_an_editor_that_never_reads(
    problems: Callable[..., Daemon], work: Work, connect: Connect
) -> None:
    daemon = problems()
    rpc = connect(daemon)
    words = "".join(f"{k}\tx\tx\tX\t_\t_\t0\troot\t_\t_\n" for k in range(1, 3001))
    work.path("gold.conllu").write_text(words + "\n", "utf-8")
    work.path("runs/many0.conllu").write_text(words + "\n", "utf-8")
    uri = work.uri("runs/many0.conllu")
    rpc.call("goldlens.tree", uri=uri, line=5)
    before = daemon.resident()
    ask = {"command": "goldlens.tree", "arguments": [{"uri": uri, "line": 5}]}
    with as_editor(daemon) as editor:
        editor.settimeout(5)
        editor.sendall(INITIALIZE)
        with pytest.raises(OSError):
            for number in range(1_000_000):
                call = {"id": number, "method": "workspace/executeCommand", "params": ask}
                editor.sendall(framed({"jsonrpc": "2.0", **call}))
        assert daemon.resident() < before + 2 * GROWTH
    until(lambda: rpc.call("status")["editors"] == 0)


def test_who_reads_slowly_is_not_cut_off(common: Daemon, common_work: Work) -> None:
    """Patience is 1 s, and this takes over 2."""
    calls = scores(common_work.one, 800)
    with common.dial() as sock:
        sock.settimeout(20)
        sender = threading.Thread(target=sock.sendall, args=(HELLO + calls,))
        sender.start()
        unpacker = msgpack.Unpacker()
        answers = 0
        while answers < 801:
            unpacker.feed(sock.recv(50_000))
            answers += sum(1 for _ in unpacker)
            if answers < 400:
                time.sleep(0.1)
        sender.join()


def test_others_are_served_all_the_while(common: Daemon, common_work: Work) -> None:
    """The slowest answer that a witness waits for, while others do their worst."""
    over = threading.Event()
    slowest = [0.0]

    def watch() -> None:
        rpc = Rpc(common.dial())
        while not over.is_set():
            begun = time.monotonic()
            assert rpc.call("goldlens.score", uri=common_work.one)["metrics"]["LAS"]["f1"] == 80
            slowest[0] = max(slowest[0], time.monotonic() - begun)
            over.wait(0.01)
        rpc.close()

    watcher = threading.Thread(target=watch)
    watcher.start()
    nested = b"\x94\x00\x09\xa1x\x91" + (b"\xdc\x04\x00" + b"\xc0" * 1023) * 900
    many = b"".join(msgpack.packb([0, k, "x" * 30, []]) for k in range(20_000))
    for data in (nested, many, status(MIB), struct.pack(">B", 0xC0) * 500_000):
        for _ in range(3):
            tried(common, HELLO + data)
    over.set()
    watcher.join()
    assert slowest[0] < 10
