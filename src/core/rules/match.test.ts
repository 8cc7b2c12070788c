import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileAudience } from './compile'
import { fixedSubject } from './interpreter.fixtures'
import { matchAudience } from './match'
import { parseRules } from './rules'

interface MatchCase {
  name: string
  rules: unknown
  attributes?: Record<string, string>
  builtIns?: Record<string, string>
  matches: boolean
}

interface RefusedCase {
  name: string
  rules: unknown
  reason: string
  path: string
}

// Read as text: an imported JSON module would take `__proto__` for a prototype.
const cases: { matches: MatchCase[]; refused: RefusedCase[] } = JSON.parse(
  readFileSync(join(import.meta.dir, 'match.cases.json'), 'utf8'),
)

describe('the rules hold or do not', () => {
  for (const { name, rules, attributes = {}, builtIns = {}, matches } of cases.matches)
    test(name, () => {
      const compiled = compileAudience(rules)
      const subject = fixedSubject(attributes, builtIns)
      expect(compiled.fault).toBeNull()
      expect(compiled.matches(subject)).toBe(matches)
      expect(matchAudience(compiled, subject).matches).toBe(matches)
    })
})

describe('a document is refused, and stored all the same matches nobody', () => {
  for (const { name, rules, reason, path } of cases.refused)
    test(name, () => {
      const parsed = parseRules(rules)
      if (parsed.ok) throw new Error('was taken')
      expect(parsed.fault).toMatchObject({ reason, path })
      expect(parsed.fault.message).toStartWith(`${path}: `)
      const compiled = compileAudience(rules)
      expect(compiled.matches(fixedSubject({}, {}))).toBe(false)
      const { fault } = parsed
      expect(matchAudience(compiled, fixedSubject({}, {}))).toEqual({
        matches: false,
        reason: { code: 'BROKEN', fault },
      })
    })
})

test('the cases are many, and no name stands twice', () => {
  const names = [...cases.matches, ...cases.refused].map(({ name }) => name)
  expect(names.length).toBeGreaterThanOrEqual(150)
  expect(new Set(names).size).toBe(names.length)
})

const reasons: [name: string, rules: unknown, attributes: Record<string, string>, matches: boolean, reason: object][] =
  [
    ['nothing asked', {}, {}, true, { code: 'EVERYONE' }],
    ['no document', null, {}, true, { code: 'EVERYONE' }],
    ['one question', { plan: 'gold' }, { plan: 'gold' }, true, about('rules.plan', 'plan', 'gold')],
    ['what is missing', { plan: 'gold' }, {}, false, about('rules.plan', 'plan', null)],
    ['the member that fails', { a: '1', b: { $gt: 2 } }, { a: '1', b: '2' }, false, about('rules.b.$gt', 'b', '2')],
    ['all members hold', { a: '1', b: '2' }, { a: '1', b: '2' }, true, { code: 'ALL_HELD', path: 'rules' }],
    ['the branch that holds', { $or: [{ a: '1' }, { b: '2' }] }, { b: '2' }, true, about('rules.$or[1].b', 'b', '2')],
    ['no branch holds', { $or: [{ a: '1' }, { b: '2' }] }, {}, false, { code: 'NONE_HELD', path: 'rules.$or' }],
    [
      'the branch that must not',
      { $nor: [{ a: '1' }, { b: '2' }] },
      { b: '2' },
      false,
      about('rules.$nor[1].b', 'b', '2'),
    ],
    [
      'no branch that must not',
      { $nor: [{ a: '1' }, { b: '2' }] },
      {},
      true,
      { code: 'NONE_HELD', path: 'rules.$nor' },
    ],
    ['what is negated', { a: { $not: { $in: ['1'] } } }, { a: '1' }, false, about('rules.a.$not.$in', 'a', '1')],
    [
      'all of what is negated',
      { $not: { a: '1', b: '2' } },
      { a: '1', b: '2' },
      false,
      { code: 'ALL_HELD', path: 'rules.$not' },
    ],
    ['an empty choice', { $or: [] }, {}, false, { code: 'NONE_HELD', path: 'rules.$or' }],
    ['an everyone among others', { $and: [{}, { a: '1' }] }, {}, false, about('rules.$and[1].a', 'a', null)],
  ]

function about(path: string, attribute: string, value: string | null) {
  return { code: 'ATTRIBUTE', path, attribute, value }
}

describe('the reason names the part that decided', () => {
  for (const [name, rules, attributes, matches, reason] of reasons)
    test(name, () => {
      expect(matchAudience(compileAudience(rules), fixedSubject(attributes, {}))).toEqual({ matches, reason } as never)
    })
})
