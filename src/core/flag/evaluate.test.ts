import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { bucketBy } from '../bucket/bucket'
import { sha256Head } from '../bucket/sha256'
import { simpleMatchers } from '../rules/matches.fixtures'
import { type CompiledFlag, compileFlag } from './compile'
import { evaluateFlag, evaluateFlags, explainFlag, type FlagReason, type RuleOutcome } from './evaluate'
import cases from './evaluate.cases.json'
import type { FlagRow } from './schema'

const SEED = 20261120
const ADA = 'svc_8fK2mQ7xLw'
type Attributes = Record<string, string>
type Case = [
  name: string,
  flag: Partial<FlagRow>,
  attributes: Attributes,
  id: string,
  value: unknown,
  reason: FlagReason,
  variant: string | null,
]

const base = cases.flag as FlagRow
const matchers = simpleMatchers(cases.audiences)
const bucket = bucketBy(sha256Head)

function compiled(flag: Partial<FlagRow>): CompiledFlag<Attributes> {
  const made = compileFlag({ ...base, ...flag }, matchers, bucket).flag
  if (!made) throw new Error('the flag of a case must compile')
  return made
}

describe('cases', () => {
  for (const [name, flag, attributes, id, value, reason, variant] of cases.cases as unknown as Case[])
    test(name, () => expect(evaluateFlag(compiled(flag), attributes, id)).toEqual({ value, reason, variant }))
})

describe('what is broken in a stored flag', () => {
  const faultsOf = (flag: object) => compileFlag({ ...base, ...flag } as FlagRow, matchers, bucket).faults

  test('is named with its place', () => {
    expect(faultsOf({ rules: [{ value: true }, { audienceId: 'broken', value: true }] })).toEqual([
      { path: 'rules[1]', message: '$like is no operator' },
    ])
    expect(faultsOf({ rules: [{ value: 'yes' }] })[0]).toMatchObject({ path: 'rules[0]' })
    expect(faultsOf({ rules: 'none' })).toEqual([{ path: 'rules', message: 'rules must be a list' }])
  })

  test('is not that an audience is missing', () => {
    expect(faultsOf({ rules: [{ audienceId: 'missing', value: true }] })).toEqual([])
  })

  test('leaves no flag when the default cannot be given', () => {
    for (const flag of [
      { defaultValue: 'no' },
      { type: 'constructor' },
      { key: '' },
      { type: 'JSON', defaultValue: null },
    ])
      expect(compileFlag({ ...base, ...flag } as FlagRow, matchers, bucket)).toMatchObject({ flag: null, faults: [{}] })
  })

  test('touches that flag alone', () => {
    const bad = compiled({ key: 'bad', rules: [{ audienceId: 'broken', value: true }] })
    const good = compiled({ key: 'good', rules: [{ value: true }] })
    const answers = evaluateFlags([bad, good], {}, ADA)
    expect([answers.get('bad')?.value, answers.get('good')?.value]).toEqual([false, true])
  })

  test('and shows only when asked, gives the default and says so', () => {
    const flag = compiled({ rules: [{ value: true }] })
    const failing = {
      ...flag,
      rules: flag.rules.map((rule) => ({ ...rule, meetsConditions: () => raise('no such thing') })),
    }
    expect(evaluateFlag(failing, {}, ADA)).toEqual({
      value: false,
      reason: 'DEFAULT',
      variant: null,
      fault: { path: 'rule:0', message: 'no such thing' },
    })
  })
})

describe('an explanation', () => {
  const explained = (rules: FlagRow['rules'], attributes: Attributes = {}, change: Partial<FlagRow> = {}) => {
    const { value, rule, outcomes } = explainFlag(compiled({ ...change, rules }), attributes, ADA)
    return { value, rule, outcomes }
  }
  const told: [
    fact: string,
    rules: FlagRow['rules'],
    value: unknown,
    rule: number | null,
    outcomes: RuleOutcome[],
    change?: Partial<FlagRow>,
  ][] = [
    ['of a flag without rules is empty', [], false, null, []],
    [
      'names the rule that decides, and none after it is reached',
      [
        { audienceId: 'turkey', value: true },
        { conditions: { plan: 'gold' }, value: true },
        { value: true },
        { value: true },
      ],
      true,
      2,
      ['AUDIENCE', 'CONDITIONS', 'HIT', 'NOT_REACHED'],
    ],
    ['of a disabled flag reaches no rule', [{ value: true }], false, null, ['NOT_REACHED'], { isEnabled: false }],
    [
      'counts a missing audience as one that does not match',
      [{ audienceId: 'gone', value: true }],
      false,
      null,
      ['AUDIENCE'],
    ],
    [
      'stops at a broken rule',
      [{ audienceId: 'turkey', value: true }, { audienceId: 'broken', value: true }, { value: true }],
      false,
      null,
      ['AUDIENCE', 'NOT_REACHED', 'NOT_REACHED'],
    ],
    ['counts a missing attribute as a lost rollout', [{ bucketBy: 'team', value: true }], false, null, ['ROLLOUT']],
    ['says which rollout was lost', [{ value: true, rolloutPercentage: 0.3619 }], false, null, ['ROLLOUT']],
  ]
  for (const [fact, rules, value, rule, outcomes, change] of told)
    test(fact, () => expect(explained(rules, {}, change)).toEqual({ value, rule, outcomes }))

  test('gives what the evaluation gives, for every case', () => {
    for (const [, flag, attributes, id] of cases.cases as unknown as Case[]) {
      const { rule, outcomes, ...result } = explainFlag(compiled(flag), attributes, id)
      expect(result).toEqual(evaluateFlag(compiled(flag), attributes, id))
      expect(rule === null ? null : `rule:${rule}`).toBe(result.variant)
      expect(outcomes).toHaveLength(compiled(flag).ruleCount)
    }
  })
})

const raise = (message: string): never => {
  throw new Error(message)
}

test('disabled flags are absent from the whole, and a key of any spelling stands in it', () => {
  const flags = [compiled({ key: '__proto__' }), compiled({ key: 'off', isEnabled: false })]
  expect([...evaluateFlags(flags, {}, ADA).keys()]).toEqual(['__proto__'])
})

const anyRule = fc.record(
  {
    audienceId: fc.constantFrom(null, ...Object.keys(cases.audiences), 'missing'),
    rolloutPercentage: fc.double({ min: 0, max: 1, noNaN: true }),
    value: fc.boolean(),
  },
  { requiredKeys: ['value'] },
)
const anyFlag = fc.record({ key: fc.string({ minLength: 1 }), isEnabled: fc.boolean(), rules: fc.array(anyRule) })
const anySubject = fc.record({ country: fc.constantFrom('TR', 'DE'), plan: fc.constantFrom('gold', 'free') })

test('the order of unrelated flags never changes an answer', () => {
  const unrelated = fc.uniqueArray(anyFlag, { selector: ({ key }) => key })
  fc.assert(
    fc.property(unrelated, anySubject, fc.string(), (rows, subject, id) => {
      const flags = rows.map(compiled)
      const answers = evaluateFlags(flags, subject, id)
      expect(evaluateFlags(flags.toReversed(), subject, id)).toEqual(new Map([...answers].toReversed()))
      for (const flag of flags.filter(({ isEnabled }) => isEnabled))
        expect(answers.get(flag.key)).toEqual(evaluateFlag(flag, subject, id))
    }),
    { seed: SEED },
  )
})

test('no stored row makes compiling or asking throw', () => {
  const odd = fc.record({ ...Object.fromEntries(Object.keys(base).map((name) => [name, fc.anything()])) })
  fc.assert(
    fc.property(odd, fc.anything(), fc.string(), (row, subject, id) => {
      const { flag } = compileFlag({ ...base, ...row } as unknown as FlagRow, matchers, bucket)
      if (flag) evaluateFlag(flag, subject as Attributes, id)
      const { flag: ruled } = compileFlag({ ...base, rules: [subject, row] } as unknown as FlagRow, matchers, bucket)
      if (ruled) evaluateFlag(ruled, subject as Attributes, id)
    }),
    { seed: SEED, numRuns: 300 },
  )
})
