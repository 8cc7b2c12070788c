import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileAudience } from './compile'
import { fixedSubject, interpret } from './interpreter.fixtures'
import { matchAudience } from './match'
import { parseRules } from './rules'
import { itemsOf } from './values'

const SEED = 20261120
const run = { seed: SEED, numRuns: 1500 }

/** Few names and few values, so that rules often match subjects. */
const NAMES = ['a', 'b', 'c.d', '__proto__', 'constructor']
const TEXTS =
  '|0|-0|5|5.0|+5|05|.5|1e1|10|9|-9|1e400|NaN|Infinity|true|false|null| 5|a|A|\u{1f600}|\uff5e|[]|[5,"a"]|["5.0",null,true]|[[5]]|{}|9007199254740993|9007199254740992|9007199254740993.0|-9007199254740993|0.10000000000000000001|0.1|1.2.3|v1.10|1.2.3-b.2|1.10.0.1|["A","5"]| [null]'.split(
    '|',
  )

const name = fc.constantFrom(...NAMES)
const text = fc.oneof(
  { arbitrary: fc.constantFrom(...TEXTS), weight: 8 },
  fc.string({ unit: 'grapheme', maxLength: 3 }),
)
const number = fc.oneof(
  fc.constantFrom(0, -0, 5, 9, 10, 0.5, 0.1, 1e21, 2 ** 53),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
)
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null))
const items = fc.array(scalar, { maxLength: 4 })
const ordered = fc.oneof(text, number)

/** An object with some of the members, in any order; `__proto__` is a name like any other. */
const objectOf = (members: fc.Arbitrary<readonly [string, unknown]>, minLength = 0) =>
  fc
    .array(members, { minLength, maxLength: 3 })
    .map((entries) => Object.fromEntries(entries) as Record<string, unknown>)

const ORDERS = fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte')
const version = fc.constantFrom('1', '1.2.3', '1.10', '1.2.3-b', '1.2.3-b.10', '5', '9007199254740993')

const questions: fc.Arbitrary<readonly [string, unknown]>[] = [
  ...['$eq', '$ne'].map((operator) => scalar.map((operand) => [operator, operand] as const)),
  ...['$gt', '$gte', '$lt', '$lte'].map((operator) => ordered.map((operand) => [operator, operand] as const)),
  ...['$in', '$nin', '$all'].map((operator) => items.map((operand) => [operator, operand] as const)),
  fc.boolean().map((operand) => ['$exists', operand] as const),
  fc.nat(3).map((operand) => ['$size', operand] as const),
  fc.tuple(ORDERS, fc.nat(3)).map(([order, operand]) => ['$size', { [order]: operand }] as const),
  ...['$ini', '$nini'].map((operator) => items.map((operand) => [operator, operand] as const)),
  ...['$vgt', '$vgte', '$vlt', '$vlte', '$veq', '$vne'].map((operator) =>
    version.map((operand) => [operator, operand] as const),
  ),
  ...['$startsWith', '$endsWith', '$contains', '$startsWithi', '$endsWithi', '$containsi'].map((operator) =>
    fc.oneof(text, fc.array(text, { maxLength: 2 })).map((operand) => [operator, operand] as const),
  ),
  ...['$regex', '$regexi'].map((operator) =>
    fc.constantFrom('^a', '5$', '[A-Z]', '^(true|a)$', '').map((operand) => [operator, operand] as const),
  ),
]

const { document } = fc.letrec<{ document: Record<string, unknown>; condition: unknown }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', maxDepth: 2, withCrossShrink: true },
    scalar,
    objectOf(fc.oneof(...questions), 1),
    tie('condition').map((condition) => ({ $not: condition })),
    tie('condition').map((condition) => ({ $elemMatch: condition })),
  ),
  document: fc.oneof(
    { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
    objectOf(fc.tuple(name, tie('condition'))),
    objectOf(
      fc.oneof(
        fc.tuple(name, tie('condition')),
        fc.tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('document'), { maxLength: 3 })),
        fc.tuple(fc.constant('$not'), tie('document')),
      ),
    ),
  ),
}))

const attributes = objectOf(fc.tuple(name, text)) as fc.Arbitrary<Record<string, string>>

const matches = (rules: unknown, given: Record<string, string>): boolean => {
  const compiled = compileAudience(rules)
  expect(compiled.fault).toBeNull()
  return compiled.matches(fixedSubject(given, {}))
}

/** Both answers must occur often, or the law proves nothing. */
function assertLaw(law: (rules: Record<string, unknown>, given: Record<string, string>) => boolean) {
  const seen = new Set<boolean>()
  const property = fc.property(document, attributes, (rules, given) => void seen.add(law(rules, given)))
  fc.assert(property, run)
  expect(seen.size).toBe(2)
}

test('compiled rules say what the words of the specification say', () => {
  assertLaw((rules, given) => {
    const answer = matches(rules, given)
    expect(answer).toBe(interpret(rules, given))
    return answer
  })
})

test('the explanation agrees with the answer', () => {
  assertLaw((rules, given) => {
    const answer = matches(rules, given)
    expect(matchAudience(compileAudience(rules), fixedSubject(given, {})).matches).toBe(answer)
    return answer
  })
})

test('$not of a rule is its complement, and $not of an attribute is that of its condition', () => {
  assertLaw((rules, given) => {
    const answer = matches(rules, given)
    expect(matches({ $not: rules }, given)).toBe(!answer)
    for (const [key, condition] of Object.entries(rules))
      if (!key.startsWith('$')) {
        const alone = Object.fromEntries([[key, condition]])
        const negated = Object.fromEntries([[key, { $not: condition }]])
        expect(matches(negated, given)).toBe(!matches(alone, given))
      }
    return answer
  })
})

test('the order of members and of lists does not matter', () => {
  assertLaw((rules, given) => {
    const answer = matches(rules, given)
    expect(matches(turned(rules), given)).toBe(answer)
    return answer
  })
})

/** The same document with every list and every object in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned).reverse()
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, member]) => [key, turned(member)] as const)
  return Object.fromEntries(entries.reverse())
}

test('$nor is not $or, $or is not $and of not, and members are an $and', () => {
  const property = fc.property(fc.array(document, { maxLength: 3 }), attributes, (parts, given) => {
    const any = matches({ $or: parts }, given)
    expect(matches({ $nor: parts }, given)).toBe(!any)
    expect(matches({ $and: parts.map((part) => ({ $not: part })) }, given)).toBe(!any)
    expect(matches({ $and: parts }, given)).toBe(parts.every((part) => matches(part, given)))
  })
  fc.assert(property, run)
})

test('$nin is not $in, $ne is not $eq, and $in is any $eq', () => {
  const property = fc.property(items, scalar, attributes, (list, one, given) => {
    const isIn = matches({ a: { $in: list } }, given)
    expect(matches({ a: { $nin: list } }, given)).toBe(!isIn)
    expect(isIn).toBe(list.some((item) => matches({ a: { $eq: item } }, given)))
    expect(matches({ a: { $ne: one } }, given)).toBe(!matches({ a: one }, given))
  })
  fc.assert(property, run)
})

test('of a present attribute exactly one holds: below, equal, above', () => {
  const property = fc.property(text, ordered, (value, operand) => {
    fc.pre(itemsOf(value) === null) // A list equals its items.
    const answers = ['$lt', '$eq', '$gt'].map((operator) => matches({ a: { [operator]: operand } }, { a: value }))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(matches({ a: { $lte: operand } }, { a: value })).toBe(!answers[2])
    expect(matches({ a: { $gte: operand } }, { a: value })).toBe(!answers[0])
  })
  fc.assert(property, run)
})

test('no input makes anything throw, and what is refused matches nobody', () => {
  const key = fc.oneof(
    fc.constantFrom('$and', '$or', '$not', '$in', '$eq', '$size', '$x', 'a', '__proto__'),
    fc.string(),
  )
  const almost = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'medium', maxDepth: 12 },
      scalar,
      fc.array(tie('any'), { maxLength: 3 }),
      fc.array(fc.tuple(key, tie('any')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
    ),
  })).any
  const seen = new Set<string>()
  const property = fc.property(fc.oneof(almost, fc.jsonValue(), fc.anything()), attributes, (rules, given) => {
    const parsed = parseRules(rules)
    const compiled = compileAudience(rules)
    const answer = compiled.matches(fixedSubject(given, {}))
    expect(matchAudience(compiled, fixedSubject(given, {})).matches).toBe(answer)
    if (!parsed.ok) expect(answer).toBe(false)
    seen.add(parsed.ok ? 'TAKEN' : parsed.fault.reason)
  })
  fc.assert(property, { ...run, numRuns: 4000 })
  expect([...seen]).toContain('TAKEN')
  expect(seen.size).toBeGreaterThan(5)
})
