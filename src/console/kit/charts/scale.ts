const STEPS = [1, 2, 2.5, 5, 10]

/** Round numbers between two others, 3 to 5 of them, 0 among them. `isWhole` leaves fractions out. */
export function ticksOf(low: number, high: number, isWhole = false): number[] {
  const span = Math.max(high, 0) - Math.min(low, 0)
  if (span <= 0) return [0]
  const rough = span / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const found = (STEPS.find((step) => step * power >= rough) ?? 10) * power
  const step = isWhole ? Math.max(1, Math.ceil(found)) : found
  const first = Math.ceil(Math.min(low, 0) / step)
  const last = Math.floor(Math.max(high, 0) / step)
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** What the values reach, with 0 and a margin of 8 %. */
export function domainOf(values: readonly number[]): [low: number, high: number] {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  if (low === 0 && high === 0) return [0, 1]
  const margin = (high - low) * 0.08
  return [low === 0 ? 0 : low - margin, high === 0 ? 0 : high + margin]
}

/** How many cells lie between two labels, so that none is nearer than 44 px to the next. */
export const labelStep = (band: number, longest: number): number =>
  Math.max(1, Math.ceil(Math.max(44, longest * 6.2 + 10) / Math.max(band, 1)))

export interface NotePlace {
  x: number
  text: string
  /** Null: there is no room, so only the dot stays. */
  side: 'left' | 'right' | null
}

/** Places texts beside their dots so that they do not overlap, from left to right. */
export function placeNotes(notes: readonly { x: number; text: string }[], width: number): NotePlace[] {
  let taken = 0
  const sorted = notes.toSorted((a, b) => a.x - b.x)
  return sorted.map(({ x, text }, index) => {
    const length = text.length * 6 + 12
    const next = sorted[index + 1]?.x ?? width
    if (x + length <= next - 6) {
      taken = x + length
      return { x, text, side: 'right' }
    }
    if (x - length >= taken + 6) {
      taken = x + 6
      return { x, text, side: 'left' }
    }
    taken = x + 6
    return { x, text, side: null }
  })
}
