"""The package in the real Emacs: problems, the score, rows, a fix."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.editors.finding import ROOT, emacs, environment
from tests.lsp.conftest import GOLD

PACKAGE = ROOT / "clients" / "emacs" / "goldlens.el"
PRED = GOLD.replace("NOUN\t_\t_\t2", "NOUN\t_\t_\t1")

SCRIPT = r"""
(setq eglot-sync-connect 20 eglot-autoshutdown t eglot-send-changes-idle-time 0.05
      flymake-no-changes-timeout 0.05 flymake-start-on-flymake-mode t)
(load (pop command-line-args-left) nil t)
(find-file (pop command-line-args-left))
(apply #'eglot--connect (eglot--guess-contact))
(eglot--maybe-activate-editing-mode)
(defun wait (what holds)
  (let ((end (+ (float-time) 20)))
    (while (not (funcall holds))
      (when (> (float-time) end) (error "%s" what))
      (accept-process-output nil 0.05)
      (flymake-start))))
(wait "no problems" (lambda () (flymake-diagnostics)))
(wait "no score" (lambda () (not (string-empty-p (goldlens-mode-line)))))
(princ (format "mode %s tabs %s\n" major-mode indent-tabs-mode))
(princ (format "problem line %d%s\n"
               (line-number-at-pos (flymake-diagnostic-beg (car (flymake-diagnostics))))
               (goldlens-mode-line)))
(goldlens-rows "markdown")
(princ (format "rows %s\n" (current-kill 0)))
(goto-char (point-min))
(goldlens-seek "worst")
(princ (format "worst in line %d\n" (line-number-at-pos)))
(goto-char (flymake-diagnostic-beg (car (flymake-diagnostics))))
(cl-letf (((symbol-function 'completing-read)
           (lambda (_ choices &rest _) (car (all-completions "" choices)))))
  (eglot-code-actions (point) (1+ (point)) "quickfix" t))
(eglot--signal-textDocument/didChange)
(wait "the problem stays" (lambda () (null (flymake-diagnostics))))
(wait "the score stays" (lambda () (string-match-p "100" (goldlens-mode-line))))
(goto-char (point-min))
(forward-line 3)
(princ (format "fixed%s: %s\n" (goldlens-mode-line)
               (buffer-substring (point) (line-end-position))))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
"""


@pytest.fixture
def said(tmp_path: Path) -> str:
    (tmp_path / "gold.conllu").write_text(GOLD, "utf-8")
    (tmp_path / "pred.conllu").write_text(PRED, "utf-8")
    script = tmp_path / "script.el"
    script.write_text(SCRIPT, "utf-8")
    done = subprocess.run(
        [emacs(), "--batch", "-l", str(script), str(PACKAGE), str(tmp_path / "pred.conllu")],
        env=environment(tmp_path),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_problems_the_score_rows_and_a_fix(said: str) -> None:
    assert "mode conllu-mode tabs t" in said
    assert "problem line 4 LAS 80.00" in said
    assert "worst in line 4\n" in said
    assert "| LAS |" in said.replace("  ", " ") or "LAS" in said.split("rows ")[1]
    assert f"fixed LAS 100.00 (+20.00): {GOLD.split(chr(10))[3]}" in said
