"""What Python-Markdown does not do with the examples: keep their tabs, and read their kind.

It turns every tab into blanks before anything else, so that a row copied from a page would have
one column; and it knows no words after the language of a fence.
"""

from __future__ import annotations

import re
from typing import Any

_FENCE = re.compile(r"^```(\w+)((?: [\w./=-]+)*)\n(.*?)^```$", re.M | re.S)
_TAB = "\ue009"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put a stand-in for each tab of a fence, and make the words after its language classes."""
    return _FENCE.sub(_opened, markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Put the tabs back."""
    return html.replace(_TAB, "\t")


def _opened(match: re.Match[str]) -> str:
    language, words, text = match.groups()
    # A word as file=NAME is for whoever tests the page, and no class.
    names = [language, *(word for word in words.split() if word.isalnum())]
    classes = " ".join(f".{name}" for name in names)
    return f"```{{ {classes} }}\n{text.replace(chr(9), _TAB)}```"
