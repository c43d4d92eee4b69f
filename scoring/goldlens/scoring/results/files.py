"""Results rows put into a file that is there already, whatever its format.

Every function here is from a text to a text: whoever calls writes the file, whole or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from goldlens.scoring.results.formats import FORMATS, RowsFileError
from goldlens.scoring.results.records import merged_csv, merged_json
from goldlens.scoring.results.rows import Row
from goldlens.scoring.results.tables import merged_latex, merged_markdown

__all__ = ["RowsFileError", "merged"]


def merged(format: str, old: str, rows: Sequence[Row], *, card: bool = False) -> str:
    """A file's text with the rows in it: of the same key in place, the others at the end.

    `format` is one of FORMATS (KeyError otherwise), `old` is empty for a new file. The key is
    component, language, dataset and metric, without the dataset where the format shows none.
    `card`: the file is a model card, so that Hugging Face metadata go into its front matter.
    Raises RowsFileError if the old text cannot be read.
    """
    if format == "hf":
        # Not sooner: only this form needs YAML.
        from goldlens.scoring.results.card import merged_card

        return merged_card(old, rows, card=card)
    merge = {
        "markdown": merged_markdown,
        "latex": merged_latex,
        "json": merged_json,
        "csv": merged_csv,
    }
    if format not in merge:
        raise KeyError(f"unknown format {format!r}; use one of {', '.join(FORMATS)}")
    return merge[format](old, rows)
