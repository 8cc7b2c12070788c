/** Rows from one index to another, which is not among them. */
export interface Span {
  from: number
  to: number
}

interface Step {
  /** The rows that are in the document. */
  now: Span
  /** Those on the screen. They come first. */
  seen: Span
  /** Those on the screen and near it. What lies outside leaves the document. */
  near: Span
  /** How many rows may be new. */
  most: number
}

/** The rows in the document after one step towards all that are near. They are always in one piece. */
export function stepTowards({ now, seen, near, most }: Step): Span {
  const kept = { from: Math.max(now.from, near.from), to: Math.min(now.to, near.to) }
  // Nothing stays after a jump.
  const start = kept.from < kept.to ? kept : { from: seen.from, to: seen.from }
  return grown(grown(start, seen, most), near, most - missing(start, seen))
}

/** The missing rows at both ends. */
const missing = (there: Span, wanted: Span): number =>
  Math.max(0, there.from - wanted.from) + Math.max(0, wanted.to - there.to)

function grown({ from, to }: Span, wanted: Span, most: number): Span {
  if (most <= 0) return { from, to }
  const below = Math.min(Math.max(0, wanted.to - to), most)
  const above = Math.min(Math.max(0, from - wanted.from), most - below)
  return { from: from - above, to: to + below }
}

export const isSame = (a: Span, b: Span): boolean => a.from === b.from && a.to === b.to

interface Place {
  /** Pixels from the first row to the upper edge of the window; less than 0 when the list starts below it. */
  top: number
  /** Pixels of the window. */
  height: number
  /** Pixels of each row. */
  row: number
  count: number
}

/** The rows on the screen, with so many more on each side. */
export function spanAt({ top, height, row, count }: Place, around = 0): Span {
  const from = Math.floor(top / row) - around
  const to = Math.ceil((top + height) / row) + around
  const within = (index: number) => Math.min(Math.max(0, index), count)
  return { from: within(from), to: within(to) }
}

const LATE_MS = 22
const FEWEST = 2
const MOST = 48

/** How many rows may be new in the next frame, by how long the last one took: a late one halves it. */
export const nextMost = (most: number, frameMs: number): number =>
  frameMs > LATE_MS ? Math.max(FEWEST, Math.floor(most / 2)) : Math.min(MOST, most + 1)
