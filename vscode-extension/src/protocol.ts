/** What the server answers, as docs/reference/lsp.md and json.md have it. */

/** The figures of one metric, in points. A figure that is no precision and recall has only `value`. */
export interface Figures {
  readonly correct?: number | null;
  readonly gold?: number | null;
  readonly predicted?: number | null;
  readonly precision?: number | null;
  readonly recall?: number | null;
  readonly f1?: number | null;
  readonly value?: number | null;
}

export interface Cause {
  readonly side: string;
  readonly sent_id: string | null;
  readonly line: number;
  readonly code: string;
}

export interface Score {
  readonly uri: string;
  readonly version: number | null;
  readonly task: string;
  readonly gold: { readonly path: string };
  readonly metrics: Readonly<Record<string, Figures | null>> | null;
  readonly since_save: Readonly<Record<string, number | null>> | null;
  readonly since_open: Readonly<Record<string, number | null>> | null;
  readonly would_refuse: readonly Cause[];
}

export interface Pair {
  readonly pred: string;
  readonly gold: string | null;
  readonly task: string | null;
  readonly system: string | null;
  readonly rule: string;
  readonly open: boolean;
  readonly trouble: string | null;
  /** What the configuration says, if it does. */
  readonly component: string;
  readonly metrics: readonly string[];
}

export type Interval = readonly [number, number];

export interface Row {
  readonly metric: string;
  readonly score: number;
  readonly ci: Interval | null;
}

export interface Difference {
  readonly metric: string;
  readonly a: number | null;
  readonly b: number | null;
  readonly difference: number | null;
  readonly difference_ci: Interval | null;
  readonly differ: boolean | null;
}

/** A word of a tree. Heads are IDs of the prediction: 0 is the root, null is none. */
export interface Word {
  readonly id: number;
  readonly form: string;
  readonly lemma: string;
  readonly upos: string;
  readonly head: number | null;
  readonly deprel: string;
  /** Counted from 0. */
  readonly line: number;
  readonly gold: {
    readonly head: number | null;
    /** What gold's head is called, also where it is no word of this sentence. */
    readonly head_form?: string | null;
    readonly deprel: string;
    readonly upos: string;
  } | null;
  readonly correct: boolean | null;
}

export interface Tree {
  readonly sent_id: string | null;
  readonly line: number;
  readonly words: readonly Word[];
  readonly problems: readonly {
    readonly code: string;
    readonly severity: string;
    readonly line: number;
    readonly message: string;
  }[];
}

/** An example of an error. Lines are counted from 1; null where that side has nothing there. */
export interface Place {
  readonly name: string | null;
  readonly line: number | null;
  readonly gold_line: number | null;
  readonly text: string;
}

/** What was taken for what. `share`, `gain` and `bound` are points; null where not computed. */
export interface Confusion {
  readonly of: string | null;
  readonly gold: string | null;
  readonly pred: string | null;
  readonly count: number;
  readonly share: number;
  readonly gain: number | null;
  readonly bound: number | null;
  readonly places: readonly Place[];
}

export interface Analysis {
  readonly metric: string;
  readonly score: number;
  readonly costliest: readonly (Confusion & { readonly column: string })[];
  readonly sections: readonly {
    readonly what: string;
    readonly confusions: {
      readonly distinct: number;
      readonly listed: readonly Confusion[];
    } | null;
  }[];
}

/** A sentence that has problems, and the line of its first one, from 0. */
export interface Sought {
  readonly name: string | null;
  readonly line: number;
  readonly problems: number;
}
