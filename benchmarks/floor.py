"""The floor: both files split into lines and cells, a block at a time, nothing kept."""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> None:
    cells = 0
    for path in sys.argv[1:]:
        rest = b""
        with Path(path).open("rb") as file:
            while data := file.read(1 << 20):
                lines = (rest + data).split(b"\n")
                rest = lines.pop()
                for line in lines:
                    cells += len(line.split(b"\t"))
    print(cells)


if __name__ == "__main__":
    main()
