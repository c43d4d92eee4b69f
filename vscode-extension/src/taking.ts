/** What can be taken from gold, among all that can be done at a place. */

/** Actions by which something of gold's is taken over, by their titles. */
const TAKING = /\bgold's\b|^Take the sentence out$/;

/** Those that take a whole sentence, or several. */
const WHOLE = /\bgold's (rows of the sentence|sentence|\d+ sentences)\b|^Take the sentence out$/;

/** Each once, cells and words before sentences. `does` tells actions of one title apart. */
export function takings<T extends { readonly title: string }>(
  actions: readonly T[],
  does: (action: T) => string,
): T[] {
  const found = new Map<string, T>();
  for (const action of actions) {
    if (TAKING.test(action.title)) found.set(`${action.title}\n${does(action)}`, action);
  }
  const all = [...found.values()];
  const [whole, parts] = [true, false].map((is) => all.filter((a) => WHOLE.test(a.title) === is));
  return [...parts!, ...whole!];
}
