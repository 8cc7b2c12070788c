import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compilePattern } from './pattern'

function isIn(source: string, text: string, ignoresCase = false): boolean {
  const compiled = compilePattern(source, ignoresCase)
  if (!compiled.ok) throw new Error(`${source} ${compiled.message}`)
  return compiled.isIn(text)
}

/** What the platform's expressions cannot say, or say in another way. */
const cases: [pattern: string, text: string, found: boolean][] = [
  ['^(?i)abc$', 'AbC', true],
  ['^(?i)abc$', 'zAbC', false],
  ['(?i:a)b', 'Ab', true],
  ['(?i:a)b', 'AB', false],
  ['((?i)a)b', 'AB', false],
  ['(?i)a(?-i)b', 'AB', false],
  ['(?m)^foo$', 'x\nfoo\ny', true],
  ['^foo$', 'x\nfoo\ny', false],
  ['^(?s)a.b$', 'a\nb', true],
  ['^a.b$', 'a\nb', false],
  ['^[[:alpha:]]+$', 'Alpha', true],
  ['^[[:alpha:]]+$', 'Alpha1', false],
  ['^[[:^digit:]x]+$', 'abx', true],
  ['^[^[:space:]]+$', 'a b', false],
  ['\\Aab\\z', 'ab', true],
  ['\\Aab\\z', 'ab\n', false],
  ['\\x41\\x{1F600}', 'A\u{1f600}', true],
  ['a{,2}', 'a{,2}', true],
  ['a{x', 'a{x', true],
  ['[]a]', ']', true],
  ['[a-]', '-', true],
  ['(?P<year>\\d{4})', '2026', true],
  ['\\pL\\p{Lu}\\p{Greek}', 'aAω', true],
  ['\\PL', 'a', false],
  ['[\\D]', '5', false],
  ['[\\d\\W]', 'a', false],
  ['(a*)*b', 'aaaa', false],
  ['(|a)+$', 'b', true],
  ['\\.\\*', '.*', true],
]

describe('a pattern is found or is not', () => {
  for (const [pattern, text, found] of cases)
    test(`${pattern} in ${JSON.stringify(text)}`, () => expect(isIn(pattern, text)).toBe(found))
})

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    'K',
    'é',
    'ß',
    '\u{1f600}',
    '.',
    '\\d',
    '\\w',
    '\\W',
    '[ab]',
    '[^a-c]',
    '[A-Z\\d]',
    '\\b',
    '\\B',
    '^',
    '$',
  ],
)
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', maxDepth: 4, withCrossShrink: true },
    atom,
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?'))
      .map(([a, times]) => `(?:${a})${times}`),
  ),
}))
const text = fc
  .array(fc.constantFrom(...'abcABk1_ éÉßſ', '\u{1f600}', '\u212a', '\n'), { maxLength: 8 })
  .map((parts) => parts.join(''))

test('law: where the platform knows the pattern, both find the same', () => {
  const seen = new Set<boolean>()
  const property = fc.property(pattern, text, fc.boolean(), (source, given, ignoresCase) => {
    fc.pre(source.length <= 200)
    // Of the platform only: within a word is also the long s, where case is ignored.
    fc.pre(!ignoresCase || !/\\[bB]/.test(source))
    const found = isIn(source, given, ignoresCase)
    expect([source, given, found]).toEqual([source, given, new RegExp(source, ignoresCase ? 'iu' : 'u').test(given)])
    seen.add(found)
  })
  fc.assert(property, { seed: 20261128, numRuns: 4000 })
  expect(seen.size).toBe(2)
})

test('no text makes a pattern slow', () => {
  const slow = ['^(a*)*$', '^(a+)+$', '^(a|aa)+$', '^(a|a?)+$', '^(.*)(.*)(.*)(.*)x', '^(a?){30}a{30}$', '^([a-z]+)*=']
  const startedAt = performance.now()
  for (const source of slow) expect(isIn(source, `${'a'.repeat(5000)}!`)).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(3000)
})

test('a pattern that fits at many places at once ends its search in a long text, and no other one does', () => {
  const long = 'ab '.repeat(21_800)
  const startedAt = performance.now()
  expect(isIn('(\\b\\B|){300}x', `${long}x`)).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(1500)
  expect(isIn('^(ab )+x$', `${long}x`)).toBe(true)
  expect(isIn('(?i)b x$', `${long}X`)).toBe(true)
  expect(isIn('(\\b\\B|){300}x', `${'ab '.repeat(166)}x`)).toBe(true)
})

test('any text of any length is taken or refused, never thrown', () => {
  const piece = fc.constantFrom(...'()[]{}*+?|^$\\.-:,<=!ixsPAz123ab', '(?', '[[:', '\\p{', '\\x')
  const source = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
  const seen = new Set<boolean>()
  fc.assert(
    fc.property(fc.oneof(source, fc.string({ unit: 'binary' })), text, (given, other) => {
      const compiled = compilePattern(given, false)
      seen.add(compiled.ok)
      if (compiled.ok) compiled.isIn(other)
      else expect(compiled.message).toMatch(/^[a-z]/)
    }),
    { seed: 20261128, numRuns: 3000 },
  )
  expect(seen.size).toBe(2)
})
