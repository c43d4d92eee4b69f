"""The cache of this user, where the environment says it is."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from goldlens.scoring import task
from goldlens.server.cache.cache import Cache
from goldlens.server.cache.store import Store

SWITCH: Final = "GOLDLENS_CACHE"
FOLDER: Final = "GOLDLENS_CACHE_DIR"

_FORMAT: Final = 1


def usual() -> Cache:
    """The one cache of this process; none is kept if `GOLDLENS_CACHE` is `off`."""
    return _cache(os.environ.get(SWITCH, ""), os.environ.get(FOLDER, ""))


@cache
def _cache(switch: str, folder: str) -> Cache:
    if switch.lower() in ("off", "0", "no", "false"):
        return Cache(None, _version)
    path = Path(folder) if folder else user_cache_path("goldlens", appauthor=False)
    return Cache(Store(path), _version)


@cache
def _version() -> str:
    """What computes: the release, and the very code, which in a checkout says more."""
    try:
        release = version("goldlens")
    except PackageNotFoundError:
        release = "unknown"
    code = hashlib.sha256()
    for folder in (Path(task.__file__).parent, Path(__file__).parent):
        for path in sorted(folder.rglob("*.py")):
            code.update(path.read_bytes())
    return f"{_FORMAT} {release} {code.hexdigest()}"
