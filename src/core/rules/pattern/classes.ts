/** Whether a character (by its code point) is one that the pattern allows at this place. */
export type CharTest = (point: number) => boolean

const PERL = { d: '0-9', w: '0-9A-Za-z_', s: '\\t\\n\\f\\r\\u{20}' }
const POSIX = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\u{0}-\\u{7f}',
  blank: '\\t\\u{20}',
  cntrl: '\\u{0}-\\u{1f}\\u{7f}',
  digit: '0-9',
  graph: '\\u{21}-\\u{7e}',
  lower: 'a-z',
  print: '\\u{20}-\\u{7e}',
  punct: '\\u{21}-\\u{2f}\\u{3a}-\\u{40}\\u{5b}-\\u{60}\\u{7b}-\\u{7e}',
  space: '\\t\\n\\v\\f\\r\\u{20}',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

/** The members of a class, as a class of the platform writes them. */
export interface ClassItem {
  source: string
  isNegated: boolean
}

/** `\d`, `\W`, `\pL` and `\p{Greek}`; null for another escape. */
export function escapedClass(letter: string, property: string): ClassItem | null {
  const lower = letter.toLowerCase()
  const isNegated = letter !== lower
  if (lower === 'p') return { source: propertyOf(property), isNegated }
  return Object.hasOwn(PERL, lower) ? { source: PERL[lower as keyof typeof PERL], isNegated } : null
}

/** A category such as `L`, or a script such as `Greek`. */
function propertyOf(name: string): string {
  try {
    new RegExp(`\\p{${name}}`, 'u')
    return `\\p{${name}}`
  } catch {
    return `\\p{Script=${name}}`
  }
}

/** `alpha` of `[[:alpha:]]`; null for an unknown name. */
export const namedClass = (name: string, isNegated: boolean): ClassItem | null =>
  Object.hasOwn(POSIX, name) ? { source: POSIX[name as keyof typeof POSIX], isNegated } : null

/** One character within a class. */
export const literalItem = (point: number): string => `\\u{${point.toString(16)}}`

/**
 * The test of a class. The platform tests a single character here, which takes the same time whatever the pattern is.
 * Throws where the platform has no such property.
 */
export function classTest(items: readonly ClassItem[], isNegated: boolean, ignoresCase: boolean): CharTest {
  const flags = ignoresCase ? 'iu' : 'u'
  const positive = items.filter((item) => !item.isNegated).map(({ source }) => source)
  const tests = [
    new RegExp(`^[${positive.join('')}]$`, flags),
    ...items.filter((item) => item.isNegated).map(({ source }) => new RegExp(`^[${source}]$`, flags)),
  ]
  const holds = (point: number): boolean => {
    const character = String.fromCodePoint(point)
    return tests.some((test, index) => test.test(character) === (index === 0))
  }
  return remembered((point) => holds(point) !== isNegated)
}

/** Of the 128 characters of ASCII each is tested once. */
function remembered(test: CharTest): CharTest {
  const known = Array.from({ length: 128 }, (_, point) => test(point))
  return (point) => known[point] ?? test(point)
}
