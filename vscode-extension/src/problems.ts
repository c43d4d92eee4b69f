/** The problems that a file shows, counted: by code, and how many more there are. */

/** A problem as an editor has it. */
export interface Problem {
  readonly code?: string | number | { readonly value: string | number } | undefined;
  readonly message: string;
}

export interface Problems {
  readonly shown: number;
  /** How many are not shown, as the setting goldlens.maxProblems says. */
  readonly more: number;
  /** The most frequent first. */
  readonly codes: readonly (readonly [code: string, count: number])[];
}

/** The code of what stands for all that is not shown. */
const CUT = 'problems-cut';

/** Counts the problems of a file; what says how many more there are is none of them. */
export function problemsOf(all: readonly Problem[]): Problems {
  const counts = new Map<string, number>();
  let more = 0;
  for (const problem of all) {
    const code = codeOf(problem);
    if (code === CUT) more += Number.parseInt(problem.message, 10) || 0;
    else counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const codes = [...counts].sort(([a, many], [b, most]) => most - many || a.localeCompare(b));
  return { shown: codes.reduce((sum, [, count]) => sum + count, 0), more, codes };
}

const codeOf = ({ code }: Problem): string =>
  typeof code === 'object' ? `${code.value}` : `${code}`;

/** Such as “86”, or “the first 249 of 5230 (goldlens.maxProblems)” where not all are shown. */
export function counted({ shown, more }: Problems): string {
  return more ? `the first ${shown} of ${shown + more} (goldlens.maxProblems)` : `${shown}`;
}
