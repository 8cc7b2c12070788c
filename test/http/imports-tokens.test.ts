import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { summaryOf } from '../../src/moving/imports/commands/summary'
import type { ImportJobRow } from '../../src/moving/imports/queries'
import { getImportView } from '../../src/moving/imports/views'
import type { SubscriberRow } from '../../src/people/subscribers/service'
import { removeStoreSettings } from '../../src/projects/connections/credentials'
import { touchConfig } from '../../src/projects/project/service'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, androidStage } from '../support/android'
import { access, everything, money } from '../support/facts'
import {
  anchorsOf,
  counted,
  enrich,
  importedPerson,
  importedPurchase,
  purchasesOf,
  tokenRow,
  verifiedJob,
  verify,
} from '../support/import-verification'

const ADA = 'svc_ada'

let s: AndroidStage
let history: ImportJobRow
let job: ImportJobRow
let ada: SubscriberRow
beforeEach(async () => {
  s = await androidStage()
  history = await verifiedJob(s)
  const columns = { subscriberExternalId: 'user_id', purchaseToken: 'android_purchase_token' }
  job = await verifiedJob(s, {}, { kind: 'ANDROID_TOKEN_ENRICHMENT', mapping: { columns, valueMap: {} } })
  ada = await importedPerson(s, 'ada', ADA)
})
afterEach(() => s.close())

const orderOf = (token: string) =>
  s.server.store.subscriptions.get(token)?.resource.lineItems?.[0]?.latestSuccessfulOrderId ?? token

const NOTHING = { subscribersNew: 0, purchasesNew: 0, purchasesUpdated: 0, unknownProducts: [] }

/** The history of a chain as an export without tokens has it: by its orders. */
const chain = (owner: SubscriberRow, orders: string[], product = 'pro:monthly') =>
  importedPurchase(s, history, owner, {
    store: 'ANDROID_STORE',
    chainKey: orders[0] ?? '',
    transactions: orders.map((id, n) => {
      const from = s.ctx.clock.now() - (orders.length - 1 - n) * 30 * DAY
      return { id, product, from, to: from + 30 * DAY }
    }),
  })

describe('a second pass', () => {
  test('stores one anchor for a person and a token', async () => {
    const result = await enrich(s, job, [tokenRow(2, 'ada', 'token-1', 'pro'), tokenRow(3, 'ada', 'token-2', 'pro')])
    expect(result).toEqual({ ...NOTHING, skipped: 0, faults: [] })
    expect(await anchorsOf(s, job)).toMatchObject([
      { subscriberId: ada.id, store: 'ANDROID_STORE', state: 'PENDING', proof: { token: 'token-1', product: 'pro' } },
      { subscriberId: ada.id, state: 'PENDING', proof: { token: 'token-2' } },
    ])
  })

  test('makes no purchase and no call by itself', async () => {
    const before = await everything(s)
    await enrich(s, job, [tokenRow(2, 'ada', s.server.store.subscribe(ANDROID_MONTHLY), 'pro')])
    expect(await everything(s)).toEqual(before)
    expect(s.calls()).toBe(0)
  })

  test('names the people whom the project does not know, by line and column', async () => {
    const result = await enrich(s, job, [tokenRow(2, 'nobody', 'token-1', 'pro'), tokenRow(3, 'ada', 'token-2', 'pro')])
    expect(result.faults).toEqual([
      {
        line: 2,
        column: 'user_id',
        message: 'nobody in this project has the id nobody; import the history first',
      },
    ])
    expect(await anchorsOf(s, job)).toHaveLength(1)
  })

  test('does not know the people of another project', async () => {
    await s.ctx.write((tx) => tx.db.update(tx.tables.subscribers).set({ projectId: s.other.id }))
    const { faults } = await enrich(s, job, [tokenRow(2, 'ada', 'token-1', 'pro')])
    expect(faults).toMatchObject([{ line: 2 }])
    expect(await anchorsOf(s, job)).toEqual([])
  })

  test('does not know a person who was erased', async () => {
    await s.ctx.write((tx) => tx.db.update(tx.tables.subscribers).set({ erasedAt: tx.clock.now() }))
    expect((await enrich(s, job, [tokenRow(2, 'ada', 'token-1', 'pro')])).faults).toHaveLength(1)
  })

  test('names a row without a token', async () => {
    expect((await enrich(s, job, [tokenRow(2, 'ada', null, 'pro')])).faults).toMatchObject([
      { line: 2, column: 'android_purchase_token' },
    ])
  })

  test('counts the products that the catalogue lacks', async () => {
    const rows = [tokenRow(2, 'ada', 'token-1', 'gold'), tokenRow(3, 'ada', 'token-2', 'gold')]
    expect((await enrich(s, job, rows)).unknownProducts).toEqual([
      { store: 'ANDROID_STORE', identifier: 'gold', rows: 2 },
    ])
  })

  test('repeated, in one batch and in the next part, changes nothing', async () => {
    const rows = [tokenRow(2, 'ada', 'token-1', 'pro'), tokenRow(3, 'ada', 'token-1', 'pro')]
    expect(await enrich(s, job, rows)).toMatchObject({ skipped: 1 })
    const before = await anchorsOf(s, job)
    expect(await enrich(s, job, rows)).toMatchObject({ skipped: 2, faults: [] })
    expect(await anchorsOf(s, job)).toEqual(before)
  })

  test('repeated after the verification does not begin it again', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await enrich(s, job, [tokenRow(2, 'ada', token, 'pro')])
    await verify(s, job)
    await enrich(s, job, [tokenRow(2, 'ada', token, 'pro')])
    expect(await anchorsOf(s, job)).toMatchObject([{ state: 'VERIFIED' }])
  })

  test('takes a thousand people in one batch', async () => {
    const rows = Array.from({ length: 1000 }, (_, n) => tokenRow(n + 2, 'ada', `token-${n}`, 'pro'))
    expect(await enrich(s, job, rows)).toMatchObject({ skipped: 0, faults: [] })
    expect(await anchorsOf(s, job)).toHaveLength(1000)
  })
})

describe('the token of an imported chain', () => {
  test('becomes its key: one purchase, and no charge counts twice', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const first = orderOf(token)
    s.ctx.clock.advance(30 * DAY)
    s.server.store.renew(token)
    const purchase = await chain(ada, [first, orderOf(token)])
    expect(orderOf(token)).toBe(`${first}..0`)
    expect(purchase.chainKey).toBe(first)
    await enrich(s, job, [tokenRow(2, 'ada', token, 'pro')])
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ id: purchase.id, chainKey: token, status: 'ACTIVE' }])
    expect(await money(s, ada.id)).toHaveLength(2)
    expect(Object.keys(await access(s, ADA))).toEqual(['pro'])
    expect(await counted(s, job)).toEqual([1, 0, 0])
  })

  test('is told by the order, not by the product, when the person has two chains of it', async () => {
    const [older, newer] = [s.server.store.subscribe(ANDROID_MONTHLY), s.server.store.subscribe(ANDROID_MONTHLY)]
    const [one, two] = [await chain(ada, [orderOf(older)]), await chain(ada, [orderOf(newer)])]
    await enrich(s, job, [tokenRow(2, 'ada', newer, 'pro')])
    await verify(s, job)
    const rows = await purchasesOf(s, ada.id)
    expect(rows.find(({ id }) => id === one.id)?.chainKey).toBe(orderOf(older))
    expect(rows.find(({ id }) => id === two.id)?.chainKey).toBe(newer)
    expect(rows).toHaveLength(2)
  })

  test('is not joined with a chain of other orders, even if it is the only one of the product', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const other = await chain(ada, ['GPA.1111-2222-3333-44444'])
    await enrich(s, job, [tokenRow(2, 'ada', token, 'pro')])
    await verify(s, job)
    expect((await purchasesOf(s, ada.id)).map(({ chainKey }) => chainKey).toSorted()).toEqual(
      [other.chainKey, token].toSorted(),
    )
  })

  test('is joined with the only purchase of the product when the file had no orders', async () => {
    const token = s.server.store.subscribe(ANDROID_YEARLY)
    const purchase = await chain(ada, ['import:0123456789abcdef'], 'pro:yearly')
    await enrich(s, job, [tokenRow(2, 'ada', token, 'pro')])
    await verify(s, job)
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ id: purchase.id, chainKey: token }])
  })

  test('that Google does not know leaves the chain as it is', async () => {
    const purchase = await chain(ada, ['GPA.1111-2222-3333-44444'])
    await enrich(s, job, [tokenRow(2, 'ada', 'gone-token', 'pro')])
    const before = await everything(s)
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(await everything(s)).toEqual(before)
    expect(await anchorsOf(s, job)).toMatchObject([{ state: 'UNRECOGNISED', purchaseId: purchase.id }])
  })

  test('that a notification has told of meanwhile gives one purchase', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const purchase = await chain(ada, [orderOf(token)])
    await enrich(s, job, [tokenRow(2, 'ada', token, 'pro')])
    await s.deliverAll()
    await verify(s, job)
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ id: purchase.id, chainKey: token }])
    expect(await money(s, ada.id)).toHaveLength(1)
    expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toHaveLength(1)
  })

  test('of somebody else is not taken from them', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const bo = await importedPerson(s, 'bo', 'svc_bo')
    const purchase = await chain(bo, [orderOf(token)])
    await enrich(s, job, [tokenRow(2, 'ada', token, 'pro')])
    await verify(s, job)
    expect(await purchasesOf(s, bo.id)).toMatchObject([{ id: purchase.id, chainKey: token }])
    expect(await purchasesOf(s, ada.id)).toEqual([])
  })
})

test('a receipt of the token continues the imported chain of its person', async () => {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  const purchase = await chain(ada, [orderOf(token)])
  expect((await s.token(ADA, token, 'pro_monthly')).status).toBe(200)
  expect(await purchasesOf(s, ada.id)).toMatchObject([{ id: purchase.id, chainKey: token }])
  expect(await money(s, ada.id)).toHaveLength(1)
})

test('a receipt of the token from somebody else does not take the imported chain', async () => {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  await chain(ada, [orderOf(token)])
  expect((await s.token('svc_bo', token, 'pro_monthly')).status).toBe(409)
  expect(await purchasesOf(s, ada.id)).toMatchObject([{ chainKey: orderOf(token) }])
})

test('without a service account the tokens count as unverifiable', async () => {
  await s.ctx.write(async (tx) => {
    await removeStoreSettings(tx, s.project.id, 'android')
    await touchConfig(tx, s.project.id)
  })
  s.ctx.state.projects.forget(s.project.id)
  await enrich(s, job, [tokenRow(2, 'ada', 'token-1', 'pro'), tokenRow(3, 'ada', 'token-2', 'pro')])
  expect((await verify(s, job)).outcome).toBe('COMPLETED')
  expect(await counted(s, job)).toEqual([0, 2, 0])
  expect(s.calls()).toBe(0)
  const view = await getImportView(s.ctx, s.project.id, job.id)
  expect(view.unverifiableFor).toEqual([{ reason: 'the project has no service account', count: 2 }])
  expect(summaryOf(view)).toContain('not verifiable: 2, because the project has no service account')
})
