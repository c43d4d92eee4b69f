"""Results rows as the `model-index` of a Hugging Face model card.

A model is named by the component, a result by dataset and language. What the format has no
field for stands under `args` of the metric. What others have put there keeps its spelling: `no` is
a language, not a false.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import yaml

from goldlens.scoring.results.formats import RowsFileError
from goldlens.scoring.results.rows import Row

SECTION: Final = "model-index"

_TASKS: Final = {
    "ud": ("token-classification", "Universal Dependencies"),
    "span": ("token-classification", "Labelled spans"),
    "classification": ("text-classification", "Text classification"),
}
_TYPES: Final = {"Accuracy": "accuracy", "ROC-AUC": "roc_auc"}
_ARGS: Final = (
    "ci", "level", "resamples", "seed", "units", "reference", "reference_ci", "reference_source",
    "within_noise", "difference", "difference_ci", "differ", "signature", "gold_sha256",
    "pred_sha256",
)  # fmt: skip


_NULL: Final = "tag:yaml.org,2002:null"
_OVER: Final = re.compile(r"^\.\.\.\s*$", re.MULTILINE)
"""What ends a YAML document, where something does."""


class _Written(str):
    """A scalar as somebody has written it; `tag` is what YAML takes it for."""

    def __new__(cls, node: yaml.ScalarNode) -> _Written:
        found = super().__new__(cls, node.value)
        found.tag, found.style = str(node.tag), node.style
        return found

    tag: str
    style: str | None


class _Loader(yaml.SafeLoader):
    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return _Written(node)
        return super().construct_object(node, deep)


class _Dumper(yaml.SafeDumper):
    pass


_Dumper.add_representer(
    _Written, lambda dumper, text: dumper.represent_scalar(text.tag, str(text), text.style)
)


def model_index(rows: Sequence[Row]) -> str:
    """The block by itself."""
    return _block(_added([], rows))


def merged_card(old: str, rows: Sequence[Row], *, card: bool = False) -> str:
    """A model card (or a YAML file) with the rows in its model-index.

    Of the front matter nothing else changes by a byte, and nothing of the text below. `card`: a
    text without front matter gets some. Raises RowsFileError.
    """
    first, _, rest = old.removeprefix("\ufeff").partition("\n")
    if first.rstrip() == "---":
        head = old[: len(old) - len(rest)]
        length = _front_matter(rest)
        if length is None:
            if card:
                raise RowsFileError(1, "the front matter does not end; close it with a line ---")
            length = len(rest)
        matter = _merged_yaml(rest[:length], rows, 1)
        head += "" if head.endswith("\n") else "\n"
        return head + matter + rest[length:]
    if not card:
        return _merged_yaml(old, rows, 0)
    return f"---\n{model_index(rows)}---\n" + (f"\n{old}" if old.strip() else "")


def _front_matter(text: str) -> int | None:
    """How many characters come before the line that closes the front matter, if one does."""
    at = 0
    for line in text.split("\n"):
        if line.rstrip() == "---":
            return at
        at += len(line) + 1
    return None


def _merged_yaml(text: str, rows: Sequence[Row], line: int) -> str:
    """YAML with the rows in its model-index; it begins `line` lines down its file."""
    start, stop, models = _section(text, line)
    block = _block(_added(models, rows))
    before = text[:start]
    if before and not before.endswith("\n"):
        before += "\n"
    if text.partition("\n")[0].endswith("\r"):
        block = block.replace("\n", "\r\n")
    return before + block + text[stop:]


def _section(text: str, line: int) -> tuple[int, int, list[Any]]:
    """Where the model-index stands, from and to, and what it says; at the end if there is none."""
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        end = len(text) if (match := _OVER.search(text)) is None else match.start()
        if node is None:
            return end, end, []
        if not isinstance(node, yaml.MappingNode) or node.flow_style:
            raise RowsFileError(line + 1, "the metadata is no block of keys; name another file")
        if any(key.start_mark.column for key, _ in node.value):
            message = "the metadata's keys are indented; begin lines with them"
            raise RowsFileError(line + 1, message)
        found = [(key, value) for key, value in node.value if key.value == SECTION]
        if not found:
            return end, end, []
        at = line + 1 + int(found[-1][0].start_mark.line)
        if len(found) > 1:
            raise RowsFileError(at, f"{SECTION} stands twice; put them together")
        [(key, value)] = found
        models = [] if value.tag == _NULL else loader.construct_document(value)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or "not readable"
        message = f"the metadata is no YAML ({what}); repair it, or name another file"
        raise RowsFileError(line + 1 + (mark.line if mark else 0), message) from error
    except RecursionError as error:
        message = f"the metadata is no YAML ({error}); repair it, or name another file"
        raise RowsFileError(line + 1, message) from error
    if not _is_index(models):
        raise RowsFileError(at, f"{SECTION} is no list of models with results; repair it")
    return int(key.start_mark.index), _end(text, value), models


def _end(text: str, value: Any) -> int:
    """Where the lines of a value end; blank lines and comments after it are not its own."""
    stop = int(value.end_mark.index)
    if value.end_mark.column:
        newline = text.find("\n", stop)
        return len(text) if newline < 0 else newline + 1
    kept = re.search(r"(?:(?<=\n)|\A)(?:[ \t\r]*(?:#[^\n]*)?\n)*\Z", text[:stop])
    return kept.start() if kept else stop


def _is_index(models: Any) -> bool:
    return isinstance(models, list) and all(
        isinstance(model, dict)
        and isinstance(model.get("results", []), list)
        and all(
            isinstance(result, dict) and isinstance(result.get("metrics", []), list)
            for result in model.get("results", [])
        )
        for model in models
    )


def _block(models: list[Any]) -> str:
    text: str = yaml.dump(
        {SECTION: models}, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=1 << 20
    )
    return text


def _added(models: list[Any], rows: Sequence[Row]) -> list[Any]:
    """The models with the rows' metrics in them."""
    for row in rows:
        name = row.labels.component or "unnamed"
        model = _found(models, lambda each, name=name: each.get("name") == name)
        if model is None:
            model = {"name": name, "results": []}
            models.append(model)
        results = model.setdefault("results", [])
        new = _result(row)
        result = _found(results, lambda each, new=new: _about(each) == _about(new))
        if result is None:
            result = new
            results.append(result)
        metrics = result.setdefault("metrics", [])
        metric = _metric(row)
        same = [k for k, each in enumerate(metrics) if _named(each) == row.metric]
        for k in reversed(same[1:]):
            del metrics[k]
        if same:
            metrics[same[0]] = metric
        else:
            metrics.append(metric)
    return models


def _found(entries: list[Any], holds: Any) -> Any:
    return next((each for each in entries if holds(each)), None)


def _about(result: dict[str, Any]) -> tuple[Any, ...]:
    """What of a result is its key; people add revisions and the like."""
    task, dataset = (
        {**each} if isinstance(each, dict) else {}
        for each in (result.get("task"), result.get("dataset"))
    )
    args = dataset.get("args")
    language = args.get("language") if isinstance(args, dict) else None
    return task.get("type"), dataset.get("name"), language


def _named(metric: Any) -> Any:
    return metric.get("name") if isinstance(metric, dict) else None


def _result(row: Row) -> dict[str, Any]:
    kind, title = _TASKS.get(row.labels.task, ("other", row.labels.task or "Annotation"))
    name = row.labels.dataset or "unnamed"
    dataset: dict[str, Any] = {"name": name, "type": re.sub(r"[^a-z0-9]+", "-", name.lower())}
    dataset["type"] = dataset["type"].strip("-") or "unnamed"
    if row.labels.language:
        dataset["args"] = {"language": row.labels.language}
    return {"task": {"type": kind, "name": title}, "dataset": dataset, "metrics": []}


def _metric(row: Row) -> dict[str, Any]:
    part = row.metric.rpartition(".")[2]
    kind = part if part in ("precision", "recall") else _TYPES.get(row.metric, "f1")
    if row.labels.task == "stemming":
        kind = row.metric.lower()
    fields = row.as_dict()
    args = {name: fields[name] for name in _ARGS if fields[name] not in (None, "")}
    value = None if row.score is None else round(row.score, 4)
    return {"type": kind, "name": row.metric, "value": value, "args": args}
