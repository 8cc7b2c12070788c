/**
 * The letters of the smaller form of a font, as ranges of code points: Latin with all its accents, punctuation, currencies,
 * and a few signs. Pages load the whole font only for letters outside of them.
 */
export const LATIN_RANGES: readonly [first: number, last: number][] = [
  [0x20, 0x24f],
  [0x2bb, 0x2bc],
  [0x2c6, 0x2c7],
  [0x2d8, 0x2dd],
  [0x300, 0x30c],
  [0x1e9e, 0x1e9e],
  [0x2010, 0x2027],
  [0x2030, 0x203a],
  [0x2044, 0x2044],
  [0x20a0, 0x20bf],
  [0x2122, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
]

const hex = (point: number): string => point.toString(16).toUpperCase()

/** As the value of `unicode-range` in a style sheet. */
export const LATIN_UNICODE_RANGE: string = LATIN_RANGES.map(([first, last]) =>
  first === last ? `U+${hex(first)}` : `U+${hex(first)}-${hex(last)}`,
).join(',')

/** Every letter of the ranges. */
export const latinText = (): string =>
  LATIN_RANGES.map(([first, last]) =>
    String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at)),
  ).join('')
