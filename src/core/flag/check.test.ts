import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkFlag } from './check'
import type { FlagRow } from './schema'

const SEED = 20261120
const KIB = 1024
const surroundings = {
  hasAudience: (id: string) => id === 'aud_turkey',
  checkConditions: (document: unknown) =>
    typeof document === 'object' ? [] : [{ path: 'country', message: 'must be an object' }],
}
const sound = { key: 'new_checkout', env: 'PROD', type: 'BOOLEAN', isEnabled: true, defaultValue: false, rules: [] }
const placesOf = (change: object): string[] =>
  checkFlag({ ...sound, ...change } as unknown as FlagRow, surroundings).map(({ path }) => path)

describe('saved', () => {
  const taken: [name: string, change: object][] = [
    ['a flag without rules', {}],
    ['a key of 64 characters', { key: 'a'.repeat(64) }],
    ['a key with dollar, dash, dot and underscore', { key: '$a-b.c_D9' }],
    ['50 rules', { rules: Array(50).fill({ value: true }) }],
    [
      'every member of a rule',
      { rules: [{ audienceId: 'aud_turkey', conditions: {}, value: true, rolloutPercentage: 0.5 }] },
    ],
    [
      'members that are null',
      { rules: [{ audienceId: null, conditions: null, value: true, rolloutPercentage: null }] },
    ],
    [
      'a rollout of 0 and of 1',
      {
        rules: [
          { value: true, rolloutPercentage: 0 },
          { value: true, rolloutPercentage: 1 },
        ],
      },
    ],
    ['a text of 64 KiB', { type: 'STRING', defaultValue: 'a'.repeat(64 * KIB - 2) }],
    ['the largest integer', { type: 'NUMBER', defaultValue: 2 ** 53 - 1 }],
    [
      'any JSON value but null',
      { type: 'JSON', defaultValue: [], rules: [{ value: { a: null } }, { value: 0 }, { value: 'a' }] },
    ],
    ['a document of 32 Ki small nodes', { type: 'JSON', defaultValue: Array(32 * KIB - 1).fill(0) }],
  ]
  for (const [name, change] of taken) test(name, () => expect(placesOf(change)).toEqual([]))
})

describe('refused, with the place', () => {
  let deep: unknown = 1
  for (let level = 0; level < 60_000; level++) deep = [deep]
  const circular: unknown[] = []
  circular.push(circular)
  const refused: [name: string, change: object, places: string[]][] = [
    ['an empty key', { key: '' }, ['key']],
    ['a key of 65 characters', { key: 'a'.repeat(65) }, ['key']],
    ['a key with a space', { key: 'a b' }, ['key']],
    ['a key that is no text', { key: 5 }, ['key']],
    ['an unknown environment', { env: 'prod' }, ['env']],
    ['an unknown type', { type: 'boolean' }, ['type']],
    ['a type that every object has', { type: 'constructor' }, ['type']],
    ['a state that is no boolean', { isEnabled: 'true' }, ['isEnabled']],
    ['a default of another type', { defaultValue: 'false' }, ['defaultValue']],
    ['a default that is missing', { defaultValue: undefined }, ['defaultValue']],
    ['a number for a text', { type: 'STRING', defaultValue: 5 }, ['defaultValue']],
    ['a text for a number', { type: 'NUMBER', defaultValue: '5' }, ['defaultValue']],
    ['infinity', { type: 'NUMBER', defaultValue: Number.POSITIVE_INFINITY }, ['defaultValue']],
    ['no number', { type: 'NUMBER', defaultValue: Number.NaN }, ['defaultValue']],
    ['an integer beyond the range', { type: 'NUMBER', defaultValue: 2 ** 53 }, ['defaultValue']],
    ['null', { type: 'JSON', defaultValue: null }, ['defaultValue']],
    ['infinity inside of a document', { type: 'JSON', defaultValue: { a: [1 / 0] } }, ['defaultValue']],
    ['NUL inside of a document', { type: 'JSON', defaultValue: { a: 'b\0' } }, ['defaultValue']],
    ['NUL in a member name', { type: 'JSON', defaultValue: { 'a\0': 1 } }, ['defaultValue']],
    ['a function inside of a document', { type: 'JSON', defaultValue: { a: () => 1 } }, ['defaultValue']],
    ['a text of one byte too many', { type: 'STRING', defaultValue: 'a'.repeat(64 * KIB - 1) }, ['defaultValue']],
    ['a text too large in bytes alone', { type: 'STRING', defaultValue: 'ğ'.repeat(32 * KIB) }, ['defaultValue']],
    ['a document too deep', { type: 'JSON', defaultValue: deep }, ['defaultValue']],
    ['a document that holds itself', { type: 'JSON', defaultValue: circular }, ['defaultValue']],
    ['51 rules', { rules: Array(51).fill({ value: true }) }, ['rules']],
    ['rules that are no list', { rules: { 0: { value: true } } }, ['rules']],
    ['a rule that is null', { rules: [{ value: true }, null] }, ['rules[1]']],
    ['a rule that is a list', { rules: [[]] }, ['rules[0]']],
    ['a rule without a value', { rules: [{}] }, ['rules[0].value']],
    ['a rule value of another type', { rules: [{ value: true }, { value: 1 }] }, ['rules[1].value']],
    ['an unknown member', { rules: [{ value: true, rollout: 0.5 }] }, ['rules[0].rollout']],
    ['a rollout below 0', { rules: [{ value: true, rolloutPercentage: -0.1 }] }, ['rules[0].rolloutPercentage']],
    ['a rollout above 1', { rules: [{ value: true, rolloutPercentage: 25 }] }, ['rules[0].rolloutPercentage']],
    [
      'a rollout that is a text',
      { rules: [{ value: true, rolloutPercentage: '0.5' }] },
      ['rules[0].rolloutPercentage'],
    ],
    [
      'a rollout that is no number',
      { rules: [{ value: true, rolloutPercentage: Number.NaN }] },
      ['rules[0].rolloutPercentage'],
    ],
    ['an unknown audience', { rules: [{ value: true, audienceId: 'aud_other' }] }, ['rules[0].audienceId']],
    ['an audience that is no text', { rules: [{ value: true, audienceId: 5 }] }, ['rules[0].audienceId']],
    [
      'bad conditions, with the place inside',
      { rules: [{ value: true, conditions: 'TR' }] },
      ['rules[0].conditions.country'],
    ],
    [
      'all of it at once',
      { key: '', env: 'X', defaultValue: 1, rules: [{ value: 1, rolloutPercentage: 2 }] },
      ['key', 'env', 'defaultValue', 'rules[0].value', 'rules[0].rolloutPercentage'],
    ],
  ]
  for (const [name, change, places] of refused) test(name, () => expect(placesOf(change)).toEqual(places))

  test('and with what to change', () => {
    const [fault] = checkFlag({ ...sound, rules: [{ value: 1 }] } as unknown as FlagRow, surroundings)
    expect(fault?.message).toBe('rules[0].value must be true or false')
  })
})

test('nothing that is sent makes the check throw', () => {
  const odd = fc.record(Object.fromEntries(Object.keys(sound).map((name) => [name, fc.anything()])), {
    requiredKeys: [],
  })
  fc.assert(
    fc.property(odd, (change) => {
      placesOf(change)
      placesOf({ rules: [change] })
    }),
    { seed: SEED, numRuns: 300 },
  )
})
