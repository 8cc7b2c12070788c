import { describe, expect, test } from 'bun:test'
import { EVENT_TYPES } from '../../people/events/event-types'
import { PROVIDERS } from './registry'
import { isKnownFilter, judgeEvent, mappedNameOf } from './scope'

const ALL = { enabledEvents: ['*'], eventMapping: {}, includeSandbox: false }
const PRODUCTION = 'PRODUCTION' as const
const ads = PROVIDERS.filter(({ kind }) => kind === 'ADS')

describe('refunds and cancellations', () => {
  for (const provider of ads)
    for (const type of ['purchase.refunded', 'purchase.cancelled', 'purchase.revoked', 'purchase.refund_reversed'])
      test(`${type} never goes to ${provider.name}, even when it is mapped`, () => {
        const mapped = { ...ALL, eventMapping: { [type]: 'Purchase' } }
        expect(judgeEvent(provider, mapped, { type, environment: PRODUCTION })).toBe('no_mapping')
      })
})

/** The types of the table in wire 5.10 that each ads provider gets. */
const MAPPED: Record<string, string[]> = {
  META_CAPI: ['initial', 'trial_converted', 'renewed', 'recovered', 'non_renewing', 'trial_started'],
  TIKTOK_EVENTS: ['initial', 'trial_converted', 'renewed', 'non_renewing', 'trial_started'],
}

for (const provider of ads)
  test(`${provider.name} gets the types of the table and no others`, () => {
    const sent = EVENT_TYPES.filter((type) => judgeEvent(provider, ALL, { type, environment: PRODUCTION }) === 'SEND')
    const wanted = [...(MAPPED[provider.name] ?? []).map((name) => `purchase.${name}`), 'subscriber.identified']
    expect(sent.sort()).toEqual(wanted.sort() as typeof sent)
  })

for (const name of ['AMPLITUDE', 'MIXPANEL', 'FIREBASE'])
  test(`${name} gets every type`, () => {
    const provider = PROVIDERS.find((one) => one.name === name)
    const skipped = EVENT_TYPES.filter(
      (type) => !provider || judgeEvent(provider, ALL, { type, environment: PRODUCTION }) !== 'SEND',
    )
    expect(skipped).toEqual([])
  })

const cases: [filters: string[], type: string, verdict: string][] = [
  [['*'], 'purchase.renewed', 'SEND'],
  [['purchase.*'], 'purchase.renewed', 'SEND'],
  [['purchase.renewed'], 'purchase.renewed', 'SEND'],
  [['purchase.initial', 'purchase.renewed'], 'purchase.renewed', 'SEND'],
  [['entitlement.*'], 'purchase.renewed', 'filtered_by_event_scope'],
  [['purchase.initial'], 'purchase.renewed', 'filtered_by_event_scope'],
  [[], 'purchase.renewed', 'filtered_by_event_scope'],
  [['*'], 'purchase.extended', 'no_mapping'],
  [[], 'purchase.extended', 'no_mapping'],
]
test.each(cases)('%p: %s is %s for an ads provider', (enabledEvents, type, verdict) => {
  const [provider] = ads
  expect(provider && judgeEvent(provider, { ...ALL, enabledEvents }, { type, environment: PRODUCTION })).toBe(
    verdict as 'SEND',
  )
})

test('the sandbox is sent only when it is included', () => {
  const [provider] = ads
  const event = { type: 'purchase.renewed', environment: 'SANDBOX' as const }
  expect(provider && judgeEvent(provider, ALL, event)).toBe('sandbox')
  expect(provider && judgeEvent(provider, { ...ALL, includeSandbox: true }, event)).toBe('SEND')
})

test('names of objects are no mappings', () => {
  expect(mappedNameOf(ALL, 'constructor')).toBeNull()
  expect(mappedNameOf(ALL, '__proto__')).toBeNull()
})

test.each(['*', 'purchase.*', 'purchase.renewed', 'funnel.session.*'])('%s is a filter', (filter) => {
  expect(isKnownFilter(filter)).toBe(true)
})

test.each(['', 'purchase', 'purchase*', 'pur.*', 'purchase.sold', '*.renewed', 'webhook.test', '**'])(
  '%p is no filter',
  (filter) => {
    expect(isKnownFilter(filter)).toBe(false)
  },
)
