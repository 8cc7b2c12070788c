import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkPlacement, checkRows, missingRowRefs } from './check'
import type { PlacementRow } from './model'

const SEED = 20261120
const none = { type: 'none' }
const placesOf = (rows: unknown): string[] => checkRows(rows).map(({ path }) => path)
const forSome = (count: number) => Array(count).fill({ audienceId: 'aud_1', target: none })

describe('saved', () => {
  const taken: [name: string, rows: unknown][] = [
    ['no rows', []],
    ['one row for everyone', [{ audienceId: null, target: none }]],
    ['a row for everyone at the end', [...forSome(1), { audienceId: null, target: none }]],
    ['50 rows', forSome(50)],
    ['a funnel', [{ audienceId: null, target: { type: 'funnel', funnelId: 'fnl_1' } }]],
    ['an offering', [{ audienceId: null, target: { type: 'offering', offeringId: 'off_1' } }]],
    ['an experiment', [{ audienceId: null, target: { type: 'experiment', experimentId: 'exp_1' } }]],
  ]
  for (const [name, rows] of taken) test(name, () => expect(placesOf(rows)).toEqual([]))
})

describe('refused, with the place', () => {
  const refused: [name: string, rows: unknown, places: string[]][] = [
    ['rows that are no list', {}, ['rows']],
    ['51 rows', forSome(51), ['rows']],
    ['a row that is null', [null], ['rows[0]']],
    ['an unknown member', [{ audienceId: null, target: none, weight: 1 }], ['rows[0]']],
    ['a row without an audience', [{ target: none }], ['rows[0].audienceId']],
    ['an empty audience', [{ audienceId: '', target: none }], ['rows[0].audienceId']],
    ['a row for everyone above another', [{ audienceId: null, target: none }, ...forSome(1)], ['rows[0].audienceId']],
    ['two rows for everyone', Array(2).fill({ audienceId: null, target: none }), ['rows[0].audienceId']],
    ['no target', [{ audienceId: null }], ['rows[0].target.type']],
    ['an unknown target', [{ audienceId: null, target: { type: 'paywall' } }], ['rows[0].target.type']],
    [
      'a target that every object has',
      [{ audienceId: null, target: { type: 'constructor' } }],
      ['rows[0].target.type'],
    ],
    ['a funnel without its id', [{ audienceId: null, target: { type: 'funnel' } }], ['rows[0].target']],
    ['a funnel with an empty id', [{ audienceId: null, target: { type: 'funnel', funnelId: '' } }], ['rows[0].target']],
    ['an offering without its id', [{ audienceId: null, target: { type: 'offering' } }], ['rows[0].target']],
    ['none that names a funnel', [{ audienceId: null, target: { ...none, funnelId: 'fnl_1' } }], ['rows[0].target']],
    [
      'an experiment by a funnel id',
      [{ audienceId: null, target: { type: 'experiment', funnelId: 'fnl_1' } }],
      ['rows[0].target'],
    ],
  ]
  for (const [name, rows, places] of refused) test(name, () => expect(placesOf(rows)).toEqual(places))
})

test('what rows name must be there, each told once', () => {
  const has = (...known: string[]) => ({
    hasAudience: (id: string) => known.includes(id),
    hasFunnel: (id: string) => known.includes(id),
    typeOfExperiment: (id: string) =>
      known.includes(id) ? ('FUNNEL' as const) : known.includes(`flags ${id}`) ? ('FLAG' as const) : null,
  })
  const rows: PlacementRow[] = [
    { audienceId: 'aud_1', target: { type: 'funnel', funnelId: 'fnl_1' } },
    { audienceId: 'aud_1', target: { type: 'experiment', experimentId: 'exp_1' } },
    { audienceId: null, target: { type: 'none' } },
  ]
  expect(missingRowRefs(rows, has())).toEqual({ kind: 'audience', ids: ['aud_1'] })
  expect(missingRowRefs(rows, has('aud_1'))).toEqual({ kind: 'funnel', ids: ['fnl_1'] })
  expect(missingRowRefs(rows, has('aud_1', 'fnl_1'))).toEqual({ kind: 'experiment', ids: ['exp_1'] })
  expect(missingRowRefs(rows, has('aud_1', 'fnl_1', 'flags exp_1'))).toEqual({ kind: 'experimentType', ids: ['exp_1'] })
  expect(missingRowRefs(rows, has('aud_1', 'fnl_1', 'exp_1'))).toBeNull()
})

describe('beside its rows', () => {
  const sound = { identifier: 'onboarding', name: 'Onboarding', rows: [], isActive: true }
  const refused: [name: string, change: object, place: string][] = [
    ['an identifier with a space', { identifier: 'a b' }, 'identifier'],
    ['no identifier', { identifier: '' }, 'identifier'],
    ['an identifier that is too long', { identifier: 'a'.repeat(65) }, 'identifier'],
    ['an identifier that maps swallow', { identifier: '__proto__' }, 'identifier'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a name that is too long', { name: 'a'.repeat(256) }, 'name'],
    ['a name that is a number', { name: 5 }, 'name'],
    ['a switch that is a text', { isActive: 'true' }, 'isActive'],
    ['rows that are missing', { rows: undefined }, 'rows'],
  ]
  test('a sound one is taken', () => expect(checkPlacement(sound)).toEqual([]))
  for (const [name, change, place] of refused)
    test(name, () => expect(checkPlacement({ ...sound, ...change }).map(({ path }) => path)).toEqual([place]))
})

test('nothing that is sent makes the check throw', () => {
  const row = fc.dictionary(fc.constantFrom('audienceId', 'target'), fc.anything())
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.array(row)), (rows) => void placesOf(rows)),
    { seed: SEED, numRuns: 300 },
  )
})
