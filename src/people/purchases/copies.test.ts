import { expect, test } from 'bun:test'
import type { Observation } from '../../stores/observation'
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
