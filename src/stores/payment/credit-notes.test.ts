import { describe, expect, test } from 'bun:test'
import { givesAccess } from '../../core/purchase/status'
import { foldObservations } from '../../people/purchases/fold'
import { transactionLines } from '../../people/purchases/lines'
import { statusAt } from '../../people/purchases/status'
import { subscribe } from '../../test-store/stores/payment-billing'
import { type Credit, creditLines } from '../../test-store/stores/payment-credit-notes'
import { addCredit } from '../../test-store/stores/payment-items'
import { chargeOfInvoice, failRefund, refundCharge } from '../../test-store/stores/payment-returns'
import { renew } from '../../test-store/stores/payment-turns'
import { getFrom } from '../../test-store/stores/payment-world'
import { readNamedRefunds } from './credit-notes'
import type { CreditNote, Refund } from './shapes'
import { TestStore } from './world.fixtures'

/** A subscription of 9.99 and 19.99, in one invoice; of the renewal, of which a balance paid a part, when one is given. */
function sold(balance = 0) {
  const store = new TestStore()
  const { world } = store
  const { id } = subscribe(world, { priceId: 'price_monthly', others: ['price_monthly_plus'] })
  if (balance > 0) {
    store.days(30)
    addCredit(world, id, balance)
    renew(world, id)
  }
  const invoiceId = String(getFrom(world.subscriptions, id).latest_invoice)
  const lines = getFrom(world.invoices, invoiceId).lines.data
  const credit = (index: number, amount: number): Credit => ({ lineId: lines[index]?.id ?? 'il_unknown', amount })
  store.days(1)
  return { store, world, invoiceId, credit, chargeId: chargeOfInvoice(world, invoiceId) }
}

/** For each line the cents that came back, and whether it gives access. */
async function after(store: TestStore): Promise<[cents: number, hasAccess: boolean][]> {
  const decoded = await store.decodeLast('charge.refunded')
  if (!decoded.ok) throw new Error(decoded.reason)
  return decoded.purchase.lines.map(({ observations }) => {
    const back = transactionLines(observations, 'SUBSCRIPTION').filter(({ kind }) => kind.startsWith('REFUND'))
    const fold = foldObservations(observations, 'SUBSCRIPTION')
    const micros = back.reduce((sum, { price }) => sum - (price?.amountMicros ?? 0), 0)
    return [micros / 10_000, fold !== null && givesAccess(statusAt(fold, store.clock.now()).status)]
  })
}

describe('a refund with a credit note', () => {
  test('of one line returns the money of this line, and ends only its access', async () => {
    const { store, world, invoiceId, credit } = sold()
    creditLines(world, invoiceId, [credit(1, 1999)])
    expect(await after(store)).toEqual([
      [0, true],
      [1999, false],
    ])
  })

  test('of a part of a line ends no access', async () => {
    const { store, world, invoiceId, credit } = sold()
    creditLines(world, invoiceId, [credit(0, 500)])
    expect((await after(store))[0]).toEqual([500, true])
    creditLines(world, invoiceId, [credit(0, 499)])
    expect(await after(store)).toEqual([
      [999, false],
      [0, true],
    ])
  })

  test('that refunds a part of what it credits divides the part by its lines', async () => {
    const { store, world, invoiceId, credit } = sold()
    creditLines(world, invoiceId, [credit(0, 300), credit(1, 100)], 200)
    expect(await after(store)).toEqual([
      [150, true],
      [50, true],
    ])
  })

  test('before a refund without one: that is divided by what is left', async () => {
    const { store, world, invoiceId, credit, chargeId } = sold()
    creditLines(world, invoiceId, [credit(0, 999)])
    store.days(1)
    refundCharge(world, chargeId, 100)
    expect(await after(store)).toEqual([
      [999, false],
      [100, true],
    ])
    refundCharge(world, chargeId)
    expect(await after(store)).toEqual([
      [999, false],
      [1999, false],
    ])
  })

  test('that fails returns nothing, and the next one finds the line whole', async () => {
    const { store, world, invoiceId, credit } = sold()
    const { refunds } = creditLines(world, invoiceId, [credit(0, 999)])
    failRefund(world, String(refunds[0]?.refund))
    expect(await after(store)).toEqual([
      [0, true],
      [0, true],
    ])
    store.days(1)
    creditLines(world, invoiceId, [credit(0, 999)])
    expect((await after(store))[0]).toEqual([999, false])
  })

  test('of more than was paid for a line, as a balance paid a part, returns the rest of the others', async () => {
    const { store, world, invoiceId, credit } = sold(998)
    expect(getFrom(world.invoices, invoiceId).amount_paid).toBe(2000)
    creditLines(world, invoiceId, [credit(0, 999)])
    expect((await after(store)).map(([cents]) => cents)).toEqual([666, 333])
  })

  test('leaves to later refunds what it did not return, so that all of them return the whole of each line', async () => {
    const { store, world, chargeId } = sold()
    for (const amount of [1, 1000, 1000]) refundCharge(world, chargeId, amount)
    refundCharge(world, chargeId)
    expect(await after(store)).toEqual([
      [999, false],
      [1999, false],
    ])
  })

  test('of a line that is not known is divided', async () => {
    const { store, world, invoiceId, credit } = sold()
    creditLines(world, invoiceId, [credit(9, 300)])
    expect(await after(store)).toEqual([
      [100, true],
      [200, true],
    ])
  })
})

test('refunds with and without notes have the same shares, told after each of them or only at the end', async () => {
  const { store, world, invoiceId, credit, chargeId } = sold()
  const turns = [
    () => refundCharge(world, chargeId, 100),
    () => creditLines(world, invoiceId, [credit(0, 300)]),
    () => refundCharge(world, chargeId, 250),
    () => creditLines(world, invoiceId, [credit(0, 1), credit(1, 700)]),
    () => refundCharge(world, chargeId),
  ]
  const told = new Map<string, number | null>()
  let atEnd: [string, number | null][] = []
  for (const turn of turns) {
    store.days(1)
    turn()
    atEnd = await markersOf(store)
    for (const [id, micros] of atEnd) if (!told.has(id)) told.set(id, micros)
  }
  expect([...told].sort()).toEqual(atEnd.sort())
  expect((await after(store)).map(([cents]) => cents)).toEqual([999, 1999])
})

test('a note of a line keeps its shares when a refund without a note before it fails', async () => {
  const { store, world, invoiceId, credit, chargeId } = sold()
  const { id } = refundCharge(world, chargeId, 1500)
  store.days(1)
  creditLines(world, invoiceId, [credit(0, 999)])
  const told = await markersOf(store)
  failRefund(world, id)
  const atEnd = await markersOf(store)
  expect(atEnd.filter(([name]) => !name.includes('reversal:'))).toEqual(told)
  expect((await refundedOf(store)).reduce((sum, cents) => sum + cents, 0)).toBe(999)
})

test('a note of a line finds it whole when the whole was refunded before it, and that failed', async () => {
  const { store, world, invoiceId, credit, chargeId } = sold()
  failRefund(world, refundCharge(world, chargeId).id)
  store.days(1)
  creditLines(world, invoiceId, [credit(0, 999)])
  expect(await refundedOf(store)).toEqual([999, 0])
})

const refundedOf = async (store: TestStore): Promise<number[]> => (await after(store)).map(([cents]) => cents)

/** The markers of each line, with what they returned of it in micros. */
async function markersOf(store: TestStore): Promise<[id: string, micros: number | null][]> {
  const decoded = await store.decodeLast('charge.refunded')
  if (!decoded.ok) throw new Error(decoded.reason)
  return decoded.purchase.lines.flatMap(({ lineKey, observations }) =>
    observations.flatMap((one): [string, number | null][] =>
      one.kind === 'REPORT' ? [] : [[`${lineKey} ${one.id}`, one.amount?.amountMicros ?? null]],
    ),
  )
}

describe('what a note says about refunds', () => {
  const refund: Refund = { id: 're_1', amount: 300, currency: 'usd', created: 1000, status: 'succeeded' }
  const line = { amount: 300, discount_amount: 0, invoice_line_item: 'il_1', taxes: null }
  const note: CreditNote = {
    ...{ id: 'cn_1', status: 'issued', created: 1000, lines: { data: [line] } },
    refunds: [{ refund: 're_1', amount_refunded: 300 }],
  }
  const keyOf = new Map([
    ['il_1', 'si_1'],
    ['il_2', 'si_2'],
  ])
  const saidBy = (...notes: CreditNote[]) =>
    [...readNamedRefunds(notes, [refund], keyOf)].map(([id, shares]) => [id, Object.fromEntries(shares)])
  const withLines = (...lines: Partial<typeof line>[]): CreditNote => ({
    ...note,
    lines: { data: lines.map((one) => ({ ...line, ...one })) },
  })
  const taxes = [{ amount: 100, tax_behavior: 'exclusive' }]

  const cases: [name: string, notes: CreditNote[], said: ReturnType<typeof saidBy>][] = [
    ['its line', [note], [['re_1', { si_1: 300 }]]],
    ['nothing of another refund', [{ ...note, refunds: [{ refund: 're_2', amount_refunded: 300 }] }], []],
    ['nothing when it is void', [{ ...note, status: 'void' }], []],
    ['nothing without a refund', [{ ...note, refunds: [] }], []],
    ['nothing of a refund that was there long before', [{ ...note, created: 1061 }], []],
    ['several lines of one item', [withLines({ amount: 100 }, { amount: 200 })], [['re_1', { si_1: 300 }]]],
    [
      'less its discounts',
      [withLines({ discount_amount: 200 }, { invoice_line_item: 'il_2', amount: 200 })],
      [['re_1', { si_1: 100, si_2: 200 }]],
    ],
    [
      'with taxes on top',
      [
        {
          ...note,
          lines: {
            data: [
              { ...line, amount: 100, taxes },
              { ...line, amount: 100, invoice_line_item: 'il_2' },
            ],
          },
        },
      ],
      [['re_1', { si_1: 200, si_2: 100 }]],
    ],
    [
      'two notes of one refund',
      [
        { ...note, refunds: [{ refund: 're_1', amount_refunded: 100 }] },
        { ...note, id: 'cn_2', refunds: [{ refund: 're_1', amount_refunded: 200 }] },
      ],
      [['re_1', { si_1: 300 }]],
    ],
  ]
  for (const [name, notes, said] of cases) test(name, () => expect(saidBy(...notes)).toEqual(said))
})

test('of refunds that came to the whole one fails: what it returned is back, and the access with it', async () => {
  const { store, world, chargeId } = sold()
  const first = refundCharge(world, chargeId, 1499)
  refundCharge(world, chargeId)
  await store.tell()
  const whole = store.told.filter(({ kind, id }) => kind === 'REFUND' && id.includes('rest'))
  expect([whole, await after(store)]).toEqual([
    [],
    [
      [999, false],
      [1999, false],
    ],
  ])
  failRefund(world, first.id)
  const decoded = await store.decodeLast('refund.failed')
  if (!decoded.ok) throw new Error(decoded.reason)
  const kept = decoded.purchase.lines.map(({ observations }) =>
    transactionLines(observations, 'SUBSCRIPTION').reduce((sum, { price }) => sum + (price?.amountMicros ?? 0), 0),
  )
  expect(kept.reduce((sum, micros) => sum + micros, 0)).toBe(14_990_000)
  expect((await after(store)).map(([, hasAccess]) => hasAccess)).toEqual([true, true])
})
