import { describe, expect, test } from 'bun:test'
import { vendorBody } from './body'
import { equivalentOf, hasEquivalent } from './equivalent'
import type { FormatEvent } from './event'
import { madeAt, uuidOf } from './event-id'
import type { VendorFacts } from './facts'
import { testBody } from './test-body'
import file from './vendor-format.cases.json'
import { complaintsAbout } from './vendor-schema.fixtures'

interface Case {
  name: string
  type: string
  event?: object
  before?: object
  after?: object
  noPurchase?: boolean
  transaction?: object
  data?: object
  person?: object
  purchaseFacts?: object
  facts?: object
  expect?: object | null
  absent?: string[]
  body?: object
}

const { defaults } = file
const cases = file.cases as Case[]

/** The input of a case, as the file describes it. */
function inputOf(one: Case): { event: FormatEvent; facts: VendorFacts } {
  const { noPurchase, before, after, transaction, data } = one
  const base = { access: {}, balances: {} }
  const event = {
    ...defaults.event,
    type: one.type,
    before: noPurchase ? base : { ...base, purchase: before ? { ...defaults.purchase, ...before } : null },
    after: noPurchase ? base : { ...base, purchase: { ...defaults.purchase, ...after } },
    data: { transaction: transaction ? { ...defaults.transaction, ...transaction } : null, ...data },
    ...one.event,
  }
  const person = { ...defaults.person, ...one.person }
  const purchase = { ...defaults.purchaseFacts, ...one.purchaseFacts }
  const facts = { ...defaults.facts, person, purchase, ...one.facts }
  // The file is data of the test; a wrong one fails the cases.
  return { event, facts } as unknown as { event: FormatEvent; facts: VendorFacts }
}

const CHECK: Record<'nothing' | 'whole' | 'members', (body: ReturnType<typeof vendorBody>, one: Case) => void> = {
  nothing: (body) => expect(body).toBeNull(),
  whole: (body, one) => expect(body as unknown).toEqual(one.body),
  members: (body, one) => {
    for (const [name, value] of Object.entries(one.expect ?? {}))
      expect([name, body?.event[name]]).toEqual([name, value])
    for (const name of one.absent ?? []) expect(body?.event).not.toHaveProperty(name)
  },
}

const kindOf = (one: Case) => (one.expect === null ? 'nothing' : one.body ? 'whole' : 'members')

describe('the cases', () => {
  for (const one of cases)
    test(one.name, () => {
      const { event, facts } = inputOf(one)
      const body = vendorBody(event, facts)
      CHECK[kindOf(one)](body, one)
      if (body === null) return
      expect(complaintsAbout(JSON.parse(JSON.stringify(body)))).toEqual([])
      expect(hasEquivalent(event.type)).toBe(true)
      expect(equivalentOf(event)?.type as string).toBe(body.event.type)
    })

  test('are many, and no two have one name', () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
    expect(cases.length).toBeGreaterThanOrEqual(60)
  })

  test('hold every type of the vendor that we send', () => {
    const sent = new Set(cases.map((one) => vendorBody(inputOf(one).event, inputOf(one).facts)?.event.type))
    const types =
      'INITIAL_PURCHASE RENEWAL CANCELLATION UNCANCELLATION NON_RENEWING_PURCHASE EXPIRATION BILLING_ISSUE PRODUCT_CHANGE ' +
      'SUBSCRIPTION_EXTENDED REFUND_REVERSED TRANSFER VIRTUAL_CURRENCY_TRANSACTION EXPERIMENT_ENROLLMENT ' +
      'PURCHASE_REDEEMED PRICE_INCREASE_CONSENT_REQUIRED PRICE_INCREASE_CONSENT_APPROVED'
    expect([...sent].filter((type) => type !== undefined).sort()).toEqual(types.split(' ').sort())
  })
})

test('types without an equivalent are known before any event is read', () => {
  const types = [
    'purchase.grace_period',
    'entitlement.granted',
    'experiment.converted',
    'import.committed',
    'toString',
    '',
  ]
  expect(types.filter(hasEquivalent)).toEqual([])
  expect(hasEquivalent('webhook.test')).toBe(true)
})

describe('the id of an event', () => {
  test('is the 128 bits of our id as UUID text', () => {
    expect(uuidOf('evt_7zzzzzzzzzzzzzzzzzzzzzzzzz')).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff')
    expect(uuidOf('evt_00000000000000000000000001')).toBe('00000000-0000-0000-0000-000000000001')
  })

  test('holds the millisecond at which it was made', () => {
    expect(madeAt('evt_7zzzzzzzzzzzzzzzzzzzzzzzzz')).toBe(2 ** 48 - 1)
  })

  for (const text of ['', 'evt_', 'evt_8zzzzzzzzzzzzzzzzzzzzzzzzz', 'evt_0000000000000000000000000u', 'evt_01'])
    test(`is refused: ${JSON.stringify(text)}`, () => expect(() => uuidOf(text)).toThrow(RangeError))
})

test('an amount beyond 2^53 keeps its digits', () => {
  const found = cases.find(({ name }) => name === 'currency of a purchase')
  if (!found) throw new Error('the case is gone')
  const { event, facts } = inputOf(found)
  const data = { ...event.data, amount: JSON.rawJSON('9223372036854775807') }
  expect(JSON.stringify(vendorBody({ ...event, data }, facts))).toContain('"amount":9223372036854775807,')
})

test('a test delivery is a purchase in the sandbox, the same at each look', () => {
  const delivery = { id: 'whd_01m5wynsm0e35rw9hmckwyqppc', projectId: 'prj_01m5vj1jg0emq8k9w39qsaekf4' }
  const body = testBody(delivery)
  expect(complaintsAbout(body)).toEqual([])
  expect(body.event).toMatchObject({ type: 'TEST', environment: 'SANDBOX', price: 0, app_id: delivery.projectId })
  expect(testBody(delivery)).toEqual(body)
})
