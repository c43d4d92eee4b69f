"""Small scripts in the stead of the official one: each has what is asked of it, and one trait."""

from __future__ import annotations

TEXT = """
class Score:
    correct = gold_total = system_total = aligned_total = 1
    precision = recall = f1 = aligned_accuracy = 1.0

def load_conllu_file(path):
    with open(path, encoding="utf-8") as file:
        return file.read()

def evaluate(gold, pred):
    return {"UPOS": Score()}
"""


def script(body: str = "", before: str = "") -> bytes:
    """A script that does `body` when it is to score, and `before` when it is loaded."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"{before}\n{TEXT}\n{'def evaluate(gold, pred):' if body else ''}\n{lines}".encode()


def hangs(path: object) -> bytes:
    """A script that never ends, and has a child; it writes both their numbers into a file."""
    return script(
        "import pathlib, os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(100)'])\n"
        f"part = pathlib.Path({str(path)!r} + '.part')\n"
        "part.write_text(f'{os.getpid()} {child.pid}')\n"
        f"part.rename({str(path)!r})\n"
        "time.sleep(100)"
    )
