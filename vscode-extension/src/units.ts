/** The sentences of an open document, kept until it changes. */
import type * as vscode from 'vscode';
import { sentences, type Sentence } from './sentences';

const kept = new WeakMap<vscode.TextDocument, { version: number; units: Sentence[] }>();

/** Sentences between blank lines; in files that have a unit a line, the lines. */
export function unitsOf(document: vscode.TextDocument): readonly Sentence[] {
  const known = kept.get(document);
  if (known?.version === document.version) return known.units;
  const bySentences = ['conllu', 'iob2'].includes(document.languageId);
  const units = bySentences ? sentences(document) : lines(document);
  kept.set(document, { version: document.version, units });
  return units;
}

function lines(document: vscode.TextDocument): Sentence[] {
  return Array.from({ length: document.lineCount }, (_, line) => ({
    start: line,
    end: line + 1,
    id: undefined,
  }));
}
