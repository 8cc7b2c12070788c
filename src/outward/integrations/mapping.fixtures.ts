import { expect, test } from 'bun:test'
import type { Mapped, MappingInput, Provider, ProviderAnswer, ProviderRequest } from './provider'

/** One line of `<provider>.cases.json`. `input` names only what differs from `INPUT`. */
export interface MappingCase {
  name: string
  input: Changes
  /** The requests that must come out, whole. `body` is the parsed JSON; of `headers` all are compared. */
  requests?: { method: string; url: string; headers: Record<string, string>; body: unknown }[]
  skip?: string
}

type Input = MappingInput<Readonly<Record<string, unknown>>>
type Changes = { [Name in keyof Input]?: unknown }

/** A renewal of a subscriber who has a label and nothing else. */
const INPUT: Input = {
  credentials: {},
  event: {
    source: 'FEED',
    id: 'evt_1',
    type: 'purchase.renewed',
    occurredAt: Date.parse('2026-11-20T08:00:00.000Z'),
    environment: 'PRODUCTION',
    store: 'IOS_STORE',
    platform: 'ios',
    productId: 'pro_monthly',
    storeProductId: 'com.example.pro.monthly',
    quantity: 1,
    transactionId: 'txn_1',
    storeTransactionId: '2000000123456999',
    purchaseId: 'pur_1',
    url: null,
    access: ['pro'],
    data: {},
  },
  person: {
    subscriberId: 'sub_1',
    appUserId: 'user_1',
    access: ['pro'],
    attributes: {},
    mixpanelDistinctId: null,
    amplitudeUserId: null,
    signals: {
      ...{ email: null, phone: null, externalId: null, firstName: null, lastName: null },
      ...{ city: null, country: null },
    },
    devices: {
      ...{ idfa: null, idfv: null, gpsAdId: null, appsflyerId: null, adjustId: null },
      ...{ firebaseAppInstanceId: null, amplitudeDeviceId: null },
    },
    hasConsent: false,
    hasHiddenDevices: false,
    ip: null,
    userAgent: null,
  },
  money: { amountMicros: 9_990_000, currency: 'USD', usdMicros: 9_990_000 },
  mappedName: null,
  includeSandbox: false,
  now: Date.parse('2026-11-20T08:00:02.000Z'),
}

/** What a provider's stand-in says to a request; below 300 = its published schema accepts it. */
type Check = (request: ProviderRequest) => ProviderAnswer

/**
 * One test for each case: the provider gives exactly the expected requests, and the stand-in accepts each of them.
 * `credentials` are used where a case names none.
 */
export function testMapping(
  provider: Provider,
  cases: readonly MappingCase[],
  credentials: Readonly<Record<string, unknown>>,
  check: Check,
): void {
  test(`${provider.name} has at least 15 cases with different names`, () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
    expect(cases.length).toBeGreaterThanOrEqual(15)
  })
  for (const { name, input, requests, skip } of cases)
    test(`${provider.name}: ${name}`, () => {
      const mapped = provider.map(merged({ ...INPUT, credentials }, input) as Input) // The cases keep to its form.
      expect(shown(mapped)).toEqual(skip === undefined ? { requests: requests ?? [] } : { skip })
      const refused = 'requests' in mapped ? mapped.requests.map(check).filter(isRefused(provider)) : []
      expect(refused).toEqual([])
    })
}

const isRefused = (provider: Provider) => (answer: ProviderAnswer) =>
  answer.status >= 300 || (provider.judge?.(answer) ?? 'ok') !== 'ok'

const shown = (mapped: Mapped): unknown =>
  'skip' in mapped
    ? mapped
    : { requests: mapped.requests.map(({ body, ...rest }) => ({ ...rest, body: parsed(body) })) }

function parsed(body: string | null): unknown {
  if (body === null) return null
  try {
    return JSON.parse(body)
  } catch {
    return body // A form, compared as text.
  }
}

/** Objects are merged member by member; everything else is replaced. */
function merged(base: unknown, changes: unknown): unknown {
  if (!isObject(base) || !isObject(changes)) return changes
  const names = Object.keys(changes)
  return { ...base, ...Object.fromEntries(names.map((name) => [name, merged(base[name], changes[name])])) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
