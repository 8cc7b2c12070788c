import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evaluateFlag } from '../../core/flag/evaluate'
import type { FlagRow } from '../../core/flag/schema'
import { compileAudience } from '../../core/rules/compile'
import { fixedSubject } from '../../core/rules/interpreter.fixtures'
import { createSubject } from '../audiences/built-ins'
import { compileRemote } from './snapshot'
import { surroundingsOf } from './surroundings'

// What other flag servers decide for the same questions, in our words and with our values.

const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dir, '../../../test/fixtures/rules', name), 'utf8')).cases

interface FlagCase {
  name: string
  flags: { key: string; isEnabled: boolean; rules: FlagRow['rules'] }[]
  ask: string
  attributes: Record<string, string>
  now?: string
  isOn?: boolean
  value?: string
  isRefused?: boolean
}

function answerOf({ flags, ask, attributes, now, isRefused = false }: FlagCase): unknown {
  const rows = flags.map(
    (flag): FlagRow => ({ ...flag, id: flag.key, env: 'PROD', type: 'STRING', defaultValue: 'off' }),
  )
  const { snapshot, faults } = compileRemote({ fingerprint: '', audiences: [], flags: rows, experiments: [] })
  expect(faults.length > 0).toBe(isRefused)
  const flag = snapshot.environments.PROD.byKey.get(ask)
  if (!flag?.isEnabled) return 'off'
  const person = { appUserId: null, deviceKey: 'svc_a', firstSeenAt: 0, lastSeenAt: 0, platform: null }
  const facts = { now: Date.parse(now ?? '2026-11-28'), person, attributes, entitlements: [], purchases: [] }
  const around = surroundingsOf(snapshot, 'PROD', 'svc_a', () => Buffer.alloc(16))
  return evaluateFlag(flag, createSubject({ ...facts, spentUsdMicros: 0 }, around), 'svc_a').value
}

describe('flags', () => {
  const cases: FlagCase[] = read('flags.cases.json')
  for (const one of cases)
    test(one.name, () => {
      const value = answerOf(one)
      if (one.isOn !== undefined) expect(value !== 'off').toBe(one.isOn)
      else expect(value).toBe(one.value)
    })

  test('are many, with both answers', () => {
    expect(cases.length).toBeGreaterThanOrEqual(180)
    expect(new Set(cases.map(({ isOn }) => isOn)).size).toBe(3)
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  })
})

interface ConditionCase {
  name: string
  rules: unknown
  attributes: Record<string, string>
  groups?: Record<string, string[]>
  holds?: boolean
  isRefused?: boolean
}

describe('conditions', () => {
  const cases: ConditionCase[] = read('conditions.cases.json')
  for (const { name, rules, attributes, groups = {}, holds = false, isRefused = false } of cases)
    test(name, () => {
      const compiled = compileAudience(rules)
      expect(compiled.fault !== null).toBe(isRefused)
      expect(compiled.matches(fixedSubject(attributes, {}, { groups }))).toBe(holds)
    })

  test('are many, with both answers', () => {
    expect(cases.length).toBeGreaterThanOrEqual(200)
    expect(cases.filter(({ holds }) => holds === false).length).toBeGreaterThan(60)
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  })
})
