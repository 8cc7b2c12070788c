import { describe, expect, test } from 'bun:test'
import { type VendorBody, vendorBodies } from './body'
import { equivalentsOf, hasEquivalent } from './equivalent'
import type { FormatEvent } from './event'
import { furtherUuidOf, madeAt, uuidOf } from './event-id'
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
  more?: object[]
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

function expectMembers(body: VendorBody | undefined, expected: object): void {
  for (const [name, value] of Object.entries(expected)) expect([name, body?.event[name]]).toEqual([name, value])
}

const CHECK: Record<'nothing' | 'whole' | 'members', (body: VendorBody | undefined, one: Case) => void> = {
  nothing: (body) => expect(body).toBeUndefined(),
  whole: (body, one) => expect(body as unknown).toEqual(one.body),
  members: (body, one) => {
    expectMembers(body, one.expect ?? {})
    for (const name of one.absent ?? []) expect(body?.event).not.toHaveProperty(name)
  },
}

const kindOf = (one: Case) => (one.expect === null ? 'nothing' : one.body ? 'whole' : 'members')

describe('the cases', () => {
  for (const one of cases)
    test(one.name, () => {
      const { event, facts } = inputOf(one)
      const bodies = vendorBodies(event, facts)
      const [first, ...further] = bodies
      CHECK[kindOf(one)](first, one)
      expect(further.map(({ event: { type } }) => type)).toEqual((one.more ?? []).map((more) => Object(more).type))
      for (const [index, body] of further.entries()) expectMembers(body, one.more?.[index] ?? {})
      expect(new Set(bodies.map((body) => body.event.id)).size).toBe(bodies.length)
      const types = equivalentsOf(event).map(({ type }): string => type)
      for (const body of bodies) {
        expect(complaintsAbout(JSON.parse(JSON.stringify(body)))).toEqual([])
        expect(hasEquivalent(event.type)).toBe(true)
        expect(types).toContain(body.event.type)
      }
    })

  test('are many, and no two have one name', () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
    expect(cases.length).toBeGreaterThanOrEqual(60)
  })

  test('hold every type of the vendor that we send', () => {
    const sent = new Set(
      cases.flatMap((one) => vendorBodies(inputOf(one).event, inputOf(one).facts)).map(({ event }) => event.type),
    )
    const types =
      'INITIAL_PURCHASE RENEWAL CANCELLATION UNCANCELLATION NON_RENEWING_PURCHASE EXPIRATION BILLING_ISSUE PRODUCT_CHANGE ' +
      'SUBSCRIPTION_EXTENDED REFUND_REVERSED TRANSFER VIRTUAL_CURRENCY_TRANSACTION EXPERIMENT_ENROLLMENT ' +
      'PURCHASE_REDEEMED PRICE_INCREASE_CONSENT_REQUIRED PRICE_INCREASE_CONSENT_APPROVED'
    expect([...sent].sort()).toEqual(types.split(' ').sort())
  })
})

test('types without an equivalent are known before any event is read', () => {
  const types = ['entitlement.granted', 'experiment.converted', 'import.committed', 'toString', '']
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

  test('of a further body is another one, which only our id and its type decide', () => {
    const ids = ['EXPIRATION', 'CANCELLATION'].flatMap((type) => [
      furtherUuidOf('evt_00000000000000000000000001', type),
      furtherUuidOf('evt_00000000000000000000000002', type),
    ])
    expect(new Set(ids).size).toBe(4)
    expect(ids[0]).toBe('5aa7a8f6-0bc8-845f-8f58-903679432473')
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  for (const text of ['', 'evt_', 'evt_8zzzzzzzzzzzzzzzzzzzzzzzzz', 'evt_0000000000000000000000000u', 'evt_01'])
    test(`is refused: ${JSON.stringify(text)}`, () => expect(() => uuidOf(text)).toThrow(RangeError))
})

test('an amount beyond 2^53 keeps its digits', () => {
  const found = cases.find(({ name }) => name === 'currency of a purchase')
  if (!found) throw new Error('the case is gone')
  const { event, facts } = inputOf(found)
  const data = { ...event.data, amount: JSON.rawJSON('9223372036854775807') }
  expect(JSON.stringify(vendorBodies({ ...event, data }, facts))).toContain('"amount":9223372036854775807,')
})

test('a test delivery is a purchase in the sandbox, the same at each look', () => {
  const delivery = { id: 'whd_01m5wynsm0e35rw9hmckwyqppc', projectId: 'prj_01m5vj1jg0emq8k9w39qsaekf4' }
  const body = testBody(delivery)
  expect(complaintsAbout(body)).toEqual([])
  expect(body.event).toMatchObject({ type: 'TEST', environment: 'SANDBOX', price: 0, app_id: delivery.projectId })
  expect(testBody(delivery)).toEqual(body)
})
