"""What can go wrong between a client and a daemon. `str` of each is one line that says what to do.

ClientError
├── NoDaemon          no daemon serves the path
├── StartFailed       one was started and does not answer
├── StopFailed        one was told to end and does not
├── UnsafePlace       the folder of sockets is not ours alone
├── OtherVersion      the daemon is of another version of Goldlens
├── Disconnected      the daemon is gone, or spoke what is no protocol
│   └── BadFrame      what came is no message
├── TimedOut          no answer came in time (a TimeoutError too)
└── CallError         the daemon answered with an error
    ├── CallFailed    it could not be done
    └── CallWrong     the call itself is wrong
"""

from __future__ import annotations


class ClientError(Exception):
    """Anything that a client can raise."""


class NoDaemon(ClientError):
    """No daemon serves the path."""


class StartFailed(ClientError):
    """A daemon was started and does not answer."""


class StopFailed(ClientError):
    """A daemon was told to end and does not."""


class UnsafePlace(ClientError):
    """The folder where sockets are, or should be, is not ours alone, or cannot be made."""


class OtherVersion(ClientError):
    """The daemon is of another version of Goldlens than the client."""


class Disconnected(ClientError):
    """The daemon is gone, or it spoke what is no protocol."""


class BadFrame(Disconnected):
    """What the daemon sent is no message."""


class TimedOut(ClientError, TimeoutError):
    """No answer came in time."""


class CallError(ClientError):
    """The daemon answered with an error."""


class CallFailed(CallError):
    """What was asked could not be done; the call was right."""


class CallWrong(CallError):
    """The call itself is wrong: an unknown method or a wrong argument."""
