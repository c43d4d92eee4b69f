/** By how much a pane has to be scrolled so that a stretch of what is in it comes into sight. */

/** From a place to another one, in pixels. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Puts a stretch into the middle; of one that is longer than the pane the beginning is shown. */
export function centring(pane: Stretch, stretch: Stretch): number {
  const free = pane.to - pane.from - (stretch.to - stretch.from);
  return stretch.from - pane.from - Math.max(0, free / 2);
}

/** Scrolls nothing if a stretch is in sight, and else puts it into the middle. */
export function bringing(pane: Stretch, stretch: Stretch): number {
  const seen = pane.from <= stretch.from && stretch.to <= pane.to;
  return seen ? 0 : centring(pane, stretch);
}
