import { expect, test } from 'bun:test'
import { planJoins, type SaleRow } from './plan'

const FIRST = '1000000001'

const row = (id: string, more: Partial<SaleRow> = {}): SaleRow => ({
  id,
  chainKey: `2000000${id}`,
  createdAt: 10,
  subscriberId: `sub_${id}`,
  owner: 'DEVICE',
  environment: 'PRODUCTION',
  storeProductId: 'life',
  isShared: false,
  kind: 'ONCE',
  purchaseDate: 5,
  originalPurchaseDate: 5,
  ...more,
})

const plan = (...rows: SaleRow[]) => planJoins(FIRST, rows).map(({ survivorId, mergedIds }) => [survivorId, mergedIds])

test('the oldest row stays, whatever the order of the rows', () => {
  const [a, b, c] = [row('a', { createdAt: 3 }), row('b', { createdAt: 1 }), row('c', { createdAt: 2 })]
  for (const rows of [
    [a, b, c],
    [c, b, a],
  ])
    expect(planJoins(FIRST, rows)).toEqual([{ survivorId: 'b', mergedIds: ['c', 'a'], chainKey: FIRST }])
})

test('of two rows of one instant the lower id stays', () => {
  expect(plan(row('b'), row('a'))).toEqual([['a', ['b']]])
})

test('a labelled owner comes before a device that is older, and nobody comes last', () => {
  const nobody = row('a', { owner: 'NOBODY', createdAt: 1 })
  const device = row('b', { createdAt: 2 })
  const labelled = row('c', { owner: 'LABELLED', createdAt: 3 })
  expect(plan(nobody, device, labelled)).toEqual([['c', ['a', 'b']]])
  expect(plan(nobody, device)).toEqual([['b', ['a']]])
  expect(plan(labelled, row('d', { owner: 'LABELLED', createdAt: 4 }))).toEqual([['c', ['d']]])
})

test('a row that is alone gets the key of today, and one that has it is left', () => {
  expect(planJoins(FIRST, [row('a')])).toEqual([{ survivorId: 'a', mergedIds: [], chainKey: FIRST }])
  expect(plan(row('a', { chainKey: FIRST }))).toEqual([])
})

test('what is not one sale stays apart', () => {
  const one = row('a', { chainKey: FIRST })
  const others: Partial<SaleRow>[] = [
    { kind: 'OTHER' },
    { environment: 'SANDBOX' },
    { storeProductId: 'other' },
    { isShared: true },
  ]
  for (const other of others) expect(plan(one, row('b', other)).flat(2)).not.toContain('a')
  expect(plan(row('a', { kind: 'OTHER' }), row('b', { kind: 'OTHER' }))).toEqual([])
})

test('each date of a subscription that never renews is a purchase', () => {
  const first = row('a', { kind: 'EACH_DATE' })
  const copy = row('b', { kind: 'EACH_DATE' })
  const second = row('c', { kind: 'EACH_DATE', purchaseDate: 9 })
  expect(planJoins(FIRST, [first, copy, second])).toEqual([
    { survivorId: 'a', mergedIds: ['b'], chainKey: FIRST },
    { survivorId: 'c', mergedIds: [], chainKey: `${FIRST}@9` },
  ])
})

test('a family share is joined with those of its holder only, and not with one that came by a merge', () => {
  const share = (id: string, more: Partial<SaleRow> = {}) =>
    row(id, { isShared: true, subscriberId: 'sub_kay', ...more })
  const settled = share('c', { chainKey: `${FIRST}:sub_kay` })
  const ofOther = share('d', { chainKey: `${FIRST}:sub_lee` })
  expect(planJoins(FIRST, [share('a'), share('b'), settled, ofOther, share('e', { subscriberId: 'sub_max' })])).toEqual(
    [
      { survivorId: 'a', mergedIds: ['b', 'c'], chainKey: `${FIRST}:sub_kay` },
      { survivorId: 'e', mergedIds: [], chainKey: `${FIRST}:sub_max` },
    ],
  )
})

test('Xcode gives one number to many devices, so its rows are left', () => {
  expect(planJoins('0', [row('a', { chainKey: '1' }), row('b', { chainKey: '2' })])).toEqual([])
})

test('a key that another purchase has is not taken', () => {
  expect(plan(row('a'), row('b', { kind: 'OTHER', chainKey: FIRST }))).toEqual([])
})
