import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evaluate, type FlagToEvaluate, placeOf } from '../src/console/screens/growth/evaluation/flag'
import { matches } from '../src/console/screens/growth/evaluation/match'
import { sha256Head } from '../src/console/screens/growth/evaluation/sha256'
import { funnelsIn } from '../src/console/screens/growth/sections'

// The console evaluates drafts in the browser; it must give the same answers as the server for the same cases.

const readCases = (path: string) => JSON.parse(readFileSync(join(import.meta.dir, '../src/targeting', path), 'utf8'))

interface MatchCase {
  name: string
  rules: unknown
  attributes?: Record<string, string>
  builtIns?: Record<string, string>
  matches: boolean
}

const BUILT_INS = Object.fromEntries(
  ['appUserId', 'deviceKey', 'firstSeenAt', 'lastSeenAt', 'platform', 'access', 'hasActive', 'store', 'status']
    .concat(['isTrial', 'trialDaysLeft', 'daysSinceFirstSeen', 'lifetimeSpendUsd', 'country', 'everPurchased', 'now'])
    .map((name) => [`svc.${name}`, null]),
)

describe('rules hold as the server decides', () => {
  for (const { name, rules, attributes = {}, builtIns = {}, matches: wanted } of readCases(
    '../core/rules/match.cases.json',
  ).matches as MatchCase[])
    test(name, () => expect(matches(rules, { attributes, builtIns: { ...BUILT_INS, ...builtIns } })).toBe(wanted))
})

describe('flags give what the server gives', () => {
  const {
    flag: base,
    audiences,
    cases,
  } = readCases('flags/evaluate.cases.json') as {
    flag: FlagToEvaluate
    audiences: Record<string, unknown>
    cases: [string, Partial<FlagToEvaluate>, Record<string, string>, string, unknown, string, string | null][]
  }
  const known = new Map(Object.entries(audiences))
  // What somebody broke by hand in the database cannot be made in the editor.
  const isBroken = (name: string, flag: object) =>
    name.startsWith('a stored') || /broken|\$like/.test(JSON.stringify(flag))
  for (const [name, flag, attributes, bucketingId, value, reason, variant] of cases.filter(
    ([name, flag]) => !isBroken(name, flag),
  ))
    test(name, () => {
      const found = evaluate({ ...base, ...flag }, { attributes, builtIns: BUILT_INS, bucketingId }, known)
      expect<unknown>([found.value, found.reason, found.rule === null ? null : `rule:${found.rule}`]).toEqual([
        value,
        reason,
        variant,
      ])
    })
})

test('the hash is SHA-256', () => {
  for (const text of ['', 'abc', 'ü'.repeat(200), 'a'.repeat(55), 'a'.repeat(56), 'a'.repeat(64)])
    expect(sha256Head(text)).toBe(
      Number.parseInt(new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 8), 16),
    )
  expect(placeOf('svc_8fK2mQ7xLw', 'new_checkout', 0)).toBe(3619)
})

test('one object is cut out of a project file', () => {
  const yaml = `version: 1

audiences:
  "Trial: soon":
    rules:
      svc.isTrial: "true"
  Turkey:
    rules:
      country: TR

funnels:
  onboarding:
    # fnl_1
    name: Onboarding
    settings:
      name: other
`
  expect(funnelsIn(yaml)).toEqual([{ id: 'fnl_1', slug: 'onboarding', name: 'Onboarding' }])
})
