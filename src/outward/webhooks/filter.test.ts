import { expect, test } from 'bun:test'
import { isKnownFilter, isWantedType } from './filter'

const cases: [filters: string[], type: string, isWanted: boolean][] = [
  [['*'], 'purchase.renewed', true],
  [['purchase.renewed'], 'purchase.renewed', true],
  [['purchase.renewed'], 'purchase.refunded', false],
  [['purchase.renewed'], 'purchase.renewed_again', false],
  [['purchase.*'], 'purchase.renewed', true],
  [['purchase.*'], 'entitlement.granted', false],
  [['funnel.session.*'], 'funnel.session.started', true],
  [['funnel.session.*'], 'funnel.paid', false],
  [['entitlement.*', 'purchase.initial'], 'purchase.initial', true],
  [[], 'purchase.initial', false],
]
for (const [filters, type, isWanted] of cases)
  test(`${filters.join(' ') || 'no filter'} ${isWanted ? 'takes' : 'leaves'} ${type}`, () =>
    expect(isWantedType(filters, type)).toBe(isWanted))

test('only filters that match a type of the specification are known', () => {
  for (const filter of ['*', 'purchase.*', 'funnel.*', 'funnel.session.*', 'import.committed', 'webhook.test'])
    expect([filter, isKnownFilter(filter)]).toEqual([filter, true])
  for (const filter of [
    '',
    '.*',
    '**',
    'purchase*',
    'purchase',
    'purchase.',
    'purchase.re*',
    'Purchase.*',
    'order.*',
    '*.renewed',
    'purchase.*.*',
  ])
    expect([filter, isKnownFilter(filter)]).toEqual([filter, false])
})
