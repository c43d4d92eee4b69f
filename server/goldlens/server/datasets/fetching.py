"""Data sets fetched over the network, by pooch: within limits of time and size, under a hash."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from goldlens.server.datasets.cached import DataError, building, keep
from goldlens.server.datasets.registry import Entry

SILENCE: Final = 30.0
"""Seconds without a byte after which a server counts as gone."""

LONGEST: Final = 3600.0
"""Seconds that a file may take in all."""

LARGEST: Final = 4 << 30
"""Bytes that a file of unknown size may have."""

_CHUNK: Final = 1 << 16
_RETRIES: Final = 1

Tell = Callable[[int], None]
"""Is told how many bytes have come so far."""


def fetch(
    entry: Entry,
    tell: Tell = lambda received: None,
    *,
    silence: float = SILENCE,
    longest: float = LONGEST,
) -> Path:
    """Fetches a data set into the cache, whatever is there; gives its path. Raises DataError.

    What has other bytes than those registered is removed. A failure is tried once more. Proxies
    are those of the environment.
    """
    # Not sooner: they take long to import.
    import pooch  # type: ignore[import-untyped]
    from requests.exceptions import RequestException

    pooch.get_logger().setLevel(logging.ERROR)
    with building() as room:
        store = pooch.create(
            path=room,
            base_url="",
            registry={entry.file: f"sha256:{entry.sha256}"},
            urls={entry.file: entry.url},
            retry_if_failed=_RETRIES,
        )
        until = time.monotonic() + longest

        def download(url: str, file: str, pooch: object) -> None:
            _download(url, Path(file), tell, silence, until, entry.size or LARGEST)

        try:
            path = Path(store.fetch(entry.file, downloader=download))
        except RequestException as error:
            raise DataError(_failed(entry, _why(error, entry.url, silence))) from error
        except OSError as error:
            raise DataError(_failed(entry, error.strerror or str(error))) from error
        except ValueError as error:
            why = f"other bytes came than those registered (SHA-256 {entry.sha256[:12]}…)"
            raise DataError(_failed(entry, f"{why}, and were removed")) from error
        return keep(entry, path)


def _download(url: str, path: Path, tell: Tell, silence: float, until: float, limit: int) -> None:
    """Writes what a URL has to a file. Raises RequestException, OSError and DataError."""
    import requests

    received = 0
    with requests.get(url, stream=True, timeout=silence) as answer, path.open("wb") as file:
        answer.raise_for_status()
        for chunk in answer.iter_content(_CHUNK):
            file.write(chunk)
            received += len(chunk)
            tell(received)
            if received > limit:
                raise DataError(
                    f"{url}: more bytes came than the {limit:,} registered, so it is another file; "
                    "take a copy with --from PATH"
                )
            if time.monotonic() > until:
                raise DataError(
                    f"{url}: it took too long; try again, or take a copy with --from PATH"
                )


def _failed(entry: Entry, why: str) -> str:
    return f"{entry.url}: {why}; try again, or take a copy with --from PATH"


def _why(error: Any, url: str, silence: float) -> str:
    """Why a request failed, in a few words."""
    from requests import exceptions

    host = urlsplit(url).hostname
    match error:
        case exceptions.Timeout():
            return f"no answer from {host} within {silence:g} s"
        case exceptions.HTTPError(response=response) if response is not None:
            return f"the server answers {response.status_code} {response.reason}"
        case exceptions.SSLError():
            return f"the certificate of {host} is not trusted"
        case exceptions.ProxyError():
            return "the proxy does not connect"
        case exceptions.ChunkedEncodingError():
            return "the connection ended before the file did"
        case exceptions.ConnectionError() if "timed out" in str(error):
            # So it says where a server stops in the middle.
            return f"no answer from {host} within {silence:g} s"
        case exceptions.ConnectionError():
            return f"no connection to {host}"
        case _:
            return f"{type(error).__name__}: {error}"
