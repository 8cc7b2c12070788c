import { describe, expect, test } from 'bun:test'
import { compileAudiences } from '../audience/matchers'
import { BUILT_INS } from '../rules/model'
import cases from './evaluate.cases.json'
import { placeOf, previewFlag } from './preview'
import type { FlagRow } from './schema'

type Case = [string, Partial<FlagRow>, Record<string, string>, string, unknown, string, string | null]

const audiences = compileAudiences(Object.entries(cases.audiences).map(([id, rules]) => ({ id, rules })))
const builtIns = Object.fromEntries(BUILT_INS.map((name) => [name, null]))
const base = cases.flag as FlagRow

describe('a draft gives in the language of rules what the cases say', () => {
  for (const [name, flag, attributes, bucketingId, value, reason, variant] of cases.cases as unknown as Case[])
    test(name, () => {
      const found = previewFlag({ ...base, ...flag }, { attributes, builtIns, bucketingId }, audiences)
      expect<unknown>(found && [found.value, found.reason, found.variant]).toEqual([value, reason, variant])
    })
})

test('the flags and the lists of ids of the person are read', () => {
  const person = {
    attributes: { team: 'red' },
    builtIns: { ...builtIns, 'svc.appUserId': 'ada' },
    bucketingId: 'svc_a',
    flags: new Map<string, unknown>([['other', { a: 1 }]]),
    groups: [{ audience: 'Beta', values: ['ada'] }],
  }
  const valueUnder = (conditions: unknown) =>
    previewFlag({ ...base, rules: [{ conditions, value: true }] }, person, audiences)?.value
  expect(valueUnder({ 'svc.flag.other': '{"a":1}' })).toBe(true)
  expect(valueUnder({ 'svc.flag.missing': { $exists: true } })).toBe(false)
  expect(valueUnder({ 'svc.appUserId': { $inGroup: 'Beta' } })).toBe(true)
  expect(valueUnder({ team: { $inGroup: 'Beta' } })).toBe(false)
})

test('a draft without a valid default gives nothing', () => {
  expect(
    previewFlag({ ...base, defaultValue: 'no' }, { attributes: {}, builtIns, bucketingId: 'a' }, audiences),
  ).toBeNull()
})

test('the place of a person in a rollout is the one that the server draws', () => {
  expect(placeOf('svc_8fK2mQ7xLw', 'new_checkout', 0)).toBe(3619)
})
