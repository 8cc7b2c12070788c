import { describe, expect, test } from 'bun:test'
import { DAY } from '../../base/lib/clock'
import { definitionFaults, spanOf } from './definition'
import { type CohortDefinition, FIRST_SEEN, hasEvents, kindOfEvent } from './model'

const NOW = Date.UTC(2026, 10, 20)
const faults = (definition: object) =>
  definitionFaults({ event: FIRST_SEEN, ...definition } as CohortDefinition, (id) => id === 'prd_1').map(
    ({ path }) => path,
  )

describe('when an event must have happened', () => {
  const cases: [fact: string, within: CohortDefinition['within'], span: [number, number]][] = [
    ['ever', undefined, [0, NOW]],
    ['in the last day', 'P1D', [NOW - DAY, NOW]],
    ['in the last 400 days', 'P400D', [NOW - 400 * DAY, NOW]],
    [
      'in a window, whose end is not in it',
      { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
      [Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 2) - 1],
    ],
    [
      'in a window that is not over',
      { from: '2026-11-01T00:00:00Z', to: '2027-01-01T00:00:00Z' },
      [Date.UTC(2026, 10, 1), NOW],
    ],
  ]
  for (const [fact, within, [from, to]] of cases)
    test(fact, () =>
      expect(spanOf({ event: FIRST_SEEN, ...(within !== undefined && { within }) }, NOW)).toEqual({ from, to }),
    )
})

describe('a definition', () => {
  const cases: [fact: string, definition: object, places: string[]][] = [
    ['of a first visit', {}, []],
    ['of a type of the feed', { event: 'purchase.renewed' }, []],
    ['of a type of an app', { event: 'level_up' }, []],
    ['of a type of an app that svc has renamed', { event: 'client.purchase.fake' }, []],
    ['of a type that nothing can have', { event: 'purchase.renewd' }, ['definition.event']],
    ['of a blank type', { event: ' ' }, ['definition.event']],
    ['of a type with a line break', { event: 'a\nb' }, ['definition.event']],
    ['within months', { within: 'P1M' }, ['definition.within']],
    ['within no days', { within: 'P0D' }, ['definition.within']],
    ['within a window', { within: { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' } }, []],
    [
      'within an empty window',
      { within: { from: '2026-11-01T00:00:00Z', to: '2026-11-01T00:00:00Z' } },
      ['definition.within.to'],
    ],
    [
      'within a window of no times',
      { within: { from: 'x', to: 'y' } },
      ['definition.within.from', 'definition.within.to'],
    ],
    ['with a product', { filters: { productId: 'prd_1' } }, []],
    ['with a foreign product', { filters: { productId: 'prd_2' } }, ['definition.filters.productId']],
    ['with NUL in a country', { filters: { country: 'D\0' } }, ['definition.filters.country']],
    ['with attributes', { filters: { attributes: { 'a.b-c_1': 'x' } } }, []],
    ['with a reserved attribute', { filters: { attributes: { $email: 'x' } } }, ['definition.filters.attributes']],
    ['with half a character', { filters: { attributes: { a: '\ud83d' } } }, ['definition.filters.attributes.a']],
    [
      'with 11 attributes',
      { filters: { attributes: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`a${n}`, 'x'])) } },
      ['definition.filters.attributes'],
    ],
  ]
  for (const [fact, definition, places] of cases)
    test(`${fact}: ${places.length === 0 ? 'fits' : 'is refused'}`, () => expect(faults(definition)).toEqual(places))
})

test('events of apps and first visits are production', () => {
  expect(['subscriber.first_seen', 'purchase.renewed', 'level_up'].map(kindOfEvent)).toEqual([
    'FIRST_SEEN',
    'FEED',
    'CLIENT',
  ])
  for (const event of [FIRST_SEEN, 'level_up'])
    expect([hasEvents(event, 'PRODUCTION'), hasEvents(event, 'SANDBOX')]).toEqual([true, false])
  expect(hasEvents('purchase.renewed', 'SANDBOX')).toBe(true)
})
