import { describe, expect, test } from 'bun:test'
import type { Observation } from '../../stores/observation'
import { periodSale } from './copies'
import { foldObservations } from './fold'
import { currencyGrants } from './grants'
import { transactionLines } from './lines'
import { day, mark, sold } from './lives.fixtures'
import { statusAt } from './status'

const first = sold({ transactionId: '11', sale: 'W' })
const copy = sold({ transactionId: '22', sale: 'W', purchaseDate: day(4) }, day(4))
const third = sold({ transactionId: '9', sale: 'W' }, day(5))
const other = sold({ transactionId: '30', sale: 'V', purchaseDate: day(30), expiresAt: day(60) }, day(30))

const refund = (transactionId: string) => mark('REFUND', 6, { transactionId, id: `refund:${transactionId}@${day(6)}` })

const orders: [name: string, observations: Observation[]][] = [
  ['the first transaction, then its copy', [first, copy]],
  ['the copy first', [copy, first]],
  ['the copy twice', [copy, first, copy]],
]
for (const [name, observations] of orders)
  test(`one charge, with the id and the date of the first: ${name}`, () => {
    const lines = transactionLines(observations, 'NON_CONSUMABLE')
    expect(lines.map(({ key, aliases, occurredAt }) => ({ key, aliases, occurredAt }))).toEqual([
      { key: '11:CHARGE', aliases: ['22'], occurredAt: day(0) },
    ])
    expect(foldObservations(observations, 'NON_CONSUMABLE')).toMatchObject({
      storeTransactionId: '11',
      aliases: ['22'],
      purchaseDate: day(0),
    })
  })

test('of copies of one date the one with the lowest number names the charge', () => {
  expect(transactionLines([first, third, copy], 'SUBSCRIPTION')).toMatchObject([
    { key: '9:CHARGE', aliases: ['11', '22'] },
  ])
})

test('another sale of the chain is a charge of its own', () => {
  expect(transactionLines([first, copy, other], 'SUBSCRIPTION').map(({ key }) => key)).toEqual([
    '11:CHARGE',
    '30:CHARGE',
  ])
})

test('transactions without a sale are no copies of each other', () => {
  const [one, two] = [sold({ transactionId: '1' }), sold({ transactionId: '2' })]
  expect(transactionLines([one, two], 'NON_CONSUMABLE').map(({ key }) => key)).toEqual(['1:CHARGE', '2:CHARGE'])
})

test('a period with its line item and the same one without it are one charge', () => {
  const bare = sold({ transactionId: '11' }, day(1))
  expect(transactionLines([bare, first, copy], 'SUBSCRIPTION').map(({ key }) => key)).toEqual(['11:CHARGE'])
})

for (const [name, observations] of [
  ['before every copy', [refund('22'), first, copy]],
  ['between them', [copy, refund('22'), first]],
  ['after them', [first, copy, refund('22')]],
  ['of the first, known by its copy only', [copy, refund('11'), first]],
  ['of both', [first, copy, refund('11'), refund('22')]],
] as [string, Observation[]][])
  test(`a refund that names a copy refunds the charge: ${name}`, () => {
    const fold = foldObservations(observations, 'NON_CONSUMABLE')
    expect(fold && statusAt(fold, day(7)).status).toBe('REFUNDED')
    expect(transactionLines(observations, 'NON_CONSUMABLE').map(({ key }) => key)).toEqual(['11:CHARGE', '11:REFUND'])
  })

test('a transaction that is the sale itself needs no sale of its own', () => {
  const [bare, restored] = [sold({ transactionId: '11' }), sold({ transactionId: '22', sale: '11' }, day(3))]
  expect(transactionLines([restored, bare], 'NON_CONSUMABLE').map(({ key }) => key)).toEqual(['11:CHARGE'])
})

test('a copy renews nothing', () => {
  const lines = transactionLines([first, copy, other], 'SUBSCRIPTION')
  expect(lines.map(({ kind, renewalNumber }) => [kind, renewalNumber])).toEqual([
    ['INITIAL', 0],
    ['RENEWAL', 1],
  ])
  const rowsOf = () => [{ currencyId: 'gems', amount: 5n, grantOn: 'BOTH' as const }]
  const grants = currencyGrants({ purchaseId: 'pur_1', productType: 'SUBSCRIPTION', chargeScope: '', lines, rowsOf })
  expect(grants.map(({ reference }) => reference)).toEqual(['purchase:pur_1', 'renewal:30'])
})

describe('a period that a release before copies recorded', () => {
  const W = 'item:W'
  const former = (id: string, changes = {}) => sold({ transactionId: id, ...changes }, day(1))
  const today = (id: string, sale: string, changes = {}) =>
    sold({ transactionId: id, sale, isRevoked: false, ...changes }, day(2))
  const keys = (...observations: Observation[]) => {
    const orders = [observations, observations.toReversed()].map((order) =>
      transactionLines(order, 'SUBSCRIPTION').map(({ key }) => key),
    )
    expect(orders[0]).toEqual(orders[1] ?? [])
    return orders[0]
  }

  test('is a copy of the one whose line item the store names', () => {
    expect(keys(former('11'), today('22', W))).toEqual(['11:CHARGE'])
    expect(keys(former('11'), former('33'), today('22', W))).toEqual(['11:CHARGE'])
  })

  test('is no copy of another period, of one of today without a line item, or of one with two line items', () => {
    const other = { purchaseDate: day(30), expiresAt: day(60) }
    expect(keys(former('11'), today('22', W, other))).toEqual(['11:CHARGE', '22:CHARGE'])
    expect(keys(former('11'), former('22'))).toEqual(['11:CHARGE', '22:CHARGE'])
    expect(keys(former('11'), today('22', W), today('33', 'item:V'))).toHaveLength(3)
    expect(keys(former('11', { isRevoked: false }), today('22', W))).toHaveLength(2)
    expect(keys(former('11', { ownershipType: 'FAMILY_SHARED' }), today('22', W))).toEqual(['22:CHARGE'])
  })

  test('that a repair has named stays one charge, also with the line items that are known later', () => {
    const [period = ''] = [sold()].flatMap(({ transaction }) => (transaction ? [periodSale(transaction)] : []))
    const repaired = ['11', '22'].map((id) => former(id, { sale: period }))
    expect(keys(...repaired)).toEqual(['11:CHARGE'])
    expect(keys(...repaired, today('22', W))).toEqual(['11:CHARGE'])
    expect(keys(...repaired, today('33', W))).toEqual(['11:CHARGE'])
    expect(keys(...repaired, today('11', W), today('22', 'item:V'))).toEqual(['11:CHARGE', '22:CHARGE'])
  })
})
