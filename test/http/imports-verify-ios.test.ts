import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import type { ImportJobRow } from '../../src/moving/imports/queries'
import type { SubscriberRow } from '../../src/people/subscribers/service'
import { saveStoreSettings } from '../../src/projects/connections/credentials'
import { touchConfig } from '../../src/projects/project/service'
import { type IosApiStage, iosApiStage, requestedPaths, storeSays } from '../support/app-store'
import { BUNDLE, COINS, LIFETIME, MONTHLY } from '../support/cast'
import { access, balances, eventTypes, everything, money, refund } from '../support/facts'
import {
  anchor,
  anchorsOf,
  counted,
  importedPerson,
  importedPurchase,
  jobOf,
  purchasesOf,
  verifiedJob,
  verify,
} from '../support/import-verification'

const ADA = 'svc_ada'

let s: IosApiStage
let job: ImportJobRow
let ada: SubscriberRow
beforeEach(async () => {
  s = await iosApiStage()
  job = await verifiedJob(s, { skipSandbox: false })
  ada = await importedPerson(s, 'ada', ADA)
})
afterEach(() => s.close())

type Payload = ReturnType<IosApiStage['buy']>

const original = ({ originalTransactionId: id }: Payload) => ({ kind: 'ORIGINAL_TRANSACTION', id }) as const
const signed = (payload: Payload) => ({ kind: 'RECEIPT', jws: s.sign(payload) }) as const

const imported = (bought: Payload, members: Partial<Parameters<typeof importedPurchase>[3]> = {}) =>
  importedPurchase(s, job, ada, {
    store: 'IOS_STORE',
    chainKey: bought.originalTransactionId,
    environment: 'SANDBOX',
    transactions: [
      {
        id: bought.transactionId,
        product: bought.productId,
        from: bought.purchaseDate,
        to: bought.expiresDate ?? null,
      },
    ],
    ...members,
  })

async function removeKey() {
  await s.ctx.write(async (tx) => {
    await saveStoreSettings(tx, s.project.id, 'ios', { config: { bundleId: BUNDLE }, secrets: {} })
    await touchConfig(tx, s.project.id)
  })
  s.ctx.state.projects.forget(s.project.id)
}

/** The stand-in has one address for both environments: its first answer is then that of the other one. */
const askedAtProductionFirst = () => {
  s.api.trouble = { status: 404, errorCode: 4040010, times: 1 }
}

describe('a transaction id', () => {
  test('of a recorded subscription costs one call and confirms it', async () => {
    const bought = s.buy(MONTHLY)
    const purchase = await imported(bought)
    storeSays(s, ['SUBSCRIBED', 'INITIAL_BUY'], bought)
    await anchor(s, job, ada, 'IOS_STORE', original(bought), purchase.id)
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect((await purchasesOf(s, ada.id)).map(({ id }) => id)).toEqual([purchase.id])
    expect(await money(s, ada.id)).toHaveLength(1)
    expect(requestedPaths(s)).toEqual([`/inApps/v1/subscriptions/${bought.originalTransactionId}`])
    expect(await counted(s, job)).toEqual([1, 0, 0])
  })

  test('of a purchase that was refunded since ends it without an event of a purchase', async () => {
    const bought = s.buy(MONTHLY)
    const purchase = await imported(bought)
    expect(Object.keys(await access(s, ADA))).toEqual(['pro'])
    s.ctx.clock.advance(DAY)
    storeSays(s, ['REFUND', null], refund(s, bought))
    await anchor(s, job, ada, 'IOS_STORE', original(bought), purchase.id)
    await verify(s, job)
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ id: purchase.id, status: 'REFUNDED' }])
    expect(await access(s, ADA)).toEqual({})
    expect((await eventTypes(s, ada.id)).filter((type) => type.startsWith('purchase.'))).toEqual([])
  })

  test('alone makes the purchase of its person, found in the sandbox', async () => {
    const bought = s.buy(MONTHLY)
    storeSays(s, ['SUBSCRIBED', 'INITIAL_BUY'], bought)
    await anchor(s, job, ada, 'IOS_STORE', original(bought))
    askedAtProductionFirst()
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(await purchasesOf(s, ada.id)).toMatchObject([
      { chainKey: bought.originalTransactionId, status: 'ACTIVE', environment: 'SANDBOX' },
    ])
    expect(await s.ctx.db.select().from(s.ctx.tables.importPurchases)).toMatchObject([{ isNew: true }])
  })

  test('alone is not looked for in the sandbox when the import leaves that out', async () => {
    const strict = await verifiedJob(s)
    await anchor(s, strict, ada, 'IOS_STORE', original(s.buy(MONTHLY)))
    await verify(s, strict)
    expect(requestedPaths(s)).toHaveLength(1)
    expect(await counted(s, strict)).toEqual([0, 1, 0])
  })

  test('that the store does not know leaves the history as it is', async () => {
    const bought = s.buy(MONTHLY)
    const purchase = await imported(bought)
    await anchor(s, job, ada, 'IOS_STORE', original(bought), purchase.id)
    const before = await everything(s)
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(await everything(s)).toEqual(before)
    expect(await anchorsOf(s, job)).toMatchObject([{ state: 'UNRECOGNISED' }])
    expect((await jobOf(s, job.id)).findings.verification).toMatchObject({ unrecognised: 1, conflicts: 0 })
  })

  test('of a one-time purchase whose file named no transaction is asked for by the id of the chain', async () => {
    const bought = s.buy(LIFETIME)
    const purchase = await imported(bought, {
      chainKey: bought.transactionId,
      productType: 'NON_CONSUMABLE',
      transactions: [
        { id: `import:${bought.transactionId}`, product: bought.productId, from: s.ctx.clock.now(), to: null },
      ],
    })
    storeSays(s, ['ONE_TIME_CHARGE', null], bought)
    await anchor(s, job, ada, 'IOS_STORE', original(bought), purchase.id)
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ id: purchase.id, status: 'ACTIVE' }])
  })

  test('of a subscription that the file called a one-time purchase joins it', async () => {
    const bought = s.buy(MONTHLY)
    const purchase = await imported(bought, { chainKey: 'import:unknown', productType: 'NON_CONSUMABLE' })
    storeSays(s, ['SUBSCRIBED', 'INITIAL_BUY'], bought)
    await anchor(s, job, ada, 'IOS_STORE', original(bought), purchase.id)
    s.ctx.clock.advance(1000)
    await verify(s, job)
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ id: purchase.id, chainKey: bought.originalTransactionId }])
    expect(await money(s, ada.id)).toHaveLength(1)
  })
})

describe('a signed transaction', () => {
  test('is verified without a call and without a key', async () => {
    await removeKey()
    const bought = s.buy(MONTHLY)
    await anchor(s, job, ada, 'IOS_STORE', signed(bought))
    expect((await verify(s, job)).outcome).toBe('COMPLETED')
    expect(await purchasesOf(s, ada.id)).toMatchObject([{ chainKey: bought.originalTransactionId, status: 'ACTIVE' }])
    expect(requestedPaths(s)).toEqual([])
  })

  test('grants no currency', async () => {
    await anchor(s, job, ada, 'IOS_STORE', signed(s.buy(COINS)))
    await verify(s, job)
    expect(await money(s, ada.id)).toHaveLength(1)
    expect(await balances(s, ADA)).toEqual({})
  })

  const bad: [fact: string, jws: () => string, state: string][] = [
    ['that somebody changed', () => `${s.sign(s.buy(MONTHLY)).slice(0, -6)}AAAAAA`, 'UNRECOGNISED'],
    ['of another app', () => s.sign({ ...s.buy(MONTHLY), bundleId: 'com.example.other' }), 'UNRECOGNISED'],
    ['that is a receipt of the older kind', () => 'MIIUDgYJKoZIhvcNAQcCoIIT', 'UNVERIFIABLE'],
    ['that is empty', () => '', 'UNVERIFIABLE'],
  ]
  for (const [fact, jws, state] of bad)
    test(`${fact} makes nothing`, async () => {
      await anchor(s, job, ada, 'IOS_STORE', { kind: 'RECEIPT', jws: jws() })
      const before = await everything(s)
      expect((await verify(s, job)).outcome).toBe('COMPLETED')
      expect(await anchorsOf(s, job)).toMatchObject([{ state }])
      expect(await everything(s)).toEqual(before)
      expect(await counted(s, job)).toEqual([0, 1, 0])
    })

  test('of the sandbox is left out when the import leaves it out', async () => {
    const strict = await verifiedJob(s)
    await anchor(s, strict, ada, 'IOS_STORE', signed(s.buy(MONTHLY)))
    await verify(s, strict)
    expect(await purchasesOf(s, ada.id)).toEqual([])
    expect(await counted(s, strict)).toEqual([0, 1, 0])
  })

  test('that somebody else has shown stays theirs', async () => {
    const bought = s.buy(MONTHLY)
    await s.receipt('svc_bo', bought)
    await anchor(s, job, ada, 'IOS_STORE', signed(bought))
    await verify(s, job)
    expect(await purchasesOf(s, ada.id)).toEqual([])
    expect((await jobOf(s, job.id)).findings.verification).toMatchObject({ conflicts: 1 })
  })

  test('of a family share is a purchase of each member', async () => {
    const shared = s.buy(MONTHLY, { ownershipType: 'FAMILY_SHARED' } as never)
    const payload = { ...shared, inAppOwnershipType: 'FAMILY_SHARED' }
    const bo = await importedPerson(s, 'bo', 'svc_bo')
    await anchor(s, job, ada, 'IOS_STORE', signed(payload))
    await anchor(s, job, bo, 'IOS_STORE', signed(payload))
    await verify(s, job)
    expect(await purchasesOf(s, ada.id)).toHaveLength(1)
    expect(await purchasesOf(s, bo.id)).toHaveLength(1)
    expect((await jobOf(s, job.id)).findings.verification).toMatchObject({ conflicts: 0 })
  })

  test('of a family share is refused to a seventh member', async () => {
    const payload = { ...s.buy(MONTHLY), inAppOwnershipType: 'FAMILY_SHARED' }
    for (let n = 1; n <= 7; n++)
      await anchor(s, job, await importedPerson(s, `member ${n}`), 'IOS_STORE', signed(payload))
    await verify(s, job)
    expect(await counted(s, job)).toEqual([6, 1, 0])
    expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toHaveLength(6)
  })
})

test('without a key nothing is asked, and the job completes', async () => {
  await removeKey()
  for (let n = 0; n < 3; n++) await anchor(s, job, ada, 'IOS_STORE', original(s.buy(MONTHLY)))
  const before = await everything(s)
  expect((await verify(s, job)).outcome).toBe('COMPLETED')
  expect(requestedPaths(s)).toEqual([])
  expect(await everything(s)).toEqual(before)
  expect(await counted(s, job)).toEqual([0, 3, 0])
  expect((await jobOf(s, job.id)).error).toBeNull()
})

test('a shared subscription is confirmed by the transaction of its member, not by the state of the buyer', async () => {
  const shared = { ...s.buy(MONTHLY), inAppOwnershipType: 'FAMILY_SHARED' }
  const bought = { ...shared, inAppOwnershipType: 'PURCHASED', transactionId: '2900000000000001' }
  storeSays(s, ['SUBSCRIBED', 'INITIAL_BUY'], shared)
  storeSays(s, ['SUBSCRIBED', 'INITIAL_BUY'], { ...bought, originalTransactionId: shared.originalTransactionId })
  await anchor(s, job, ada, 'IOS_STORE', { kind: 'ORIGINAL_TRANSACTION', id: shared.transactionId })
  await verify(s, job)
  const chainKey = `${shared.originalTransactionId}:${ada.id}`
  expect(await purchasesOf(s, ada.id)).toMatchObject([{ chainKey, fold: { ownershipType: 'FAMILY_SHARED' } }])
  expect(await money(s, ada.id)).toEqual([])
})
