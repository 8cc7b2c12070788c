import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { refreshIosPurchase } from '../../src/intake/ios/refresh'
import { reconcile } from '../../src/intake/reconcile/run'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { causeOf } from '../../src/people/events/model'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { signTransaction } from '../../src/test-store/stores/ios'
import type { NotificationKind } from '../../src/test-store/stores/notification'
import { type IosApiStage, iosApiStage, requestedPaths, storeSays } from '../support/app-store'
import { COINS, LIFETIME, MONTHLY } from '../support/cast'
import {
  access,
  balances,
  eventTypes,
  everything,
  lastEvent,
  listenTo,
  money,
  refund,
  renew,
  rowOf,
} from '../support/facts'
import { notify } from '../support/notify'

let s: IosApiStage
beforeEach(async () => {
  s = await iosApiStage()
})
afterEach(() => s.close())

const ADA = 'svc_ada'

/** Checked, repaired and failed, over all storeRuns. */
async function run(on = s) {
  const { storeRuns, listed } = await reconcile(on.ctx)
  const sum = (pick: (lane: (typeof storeRuns)[number]) => number) =>
    storeRuns.reduce((all, lane) => all + pick(lane), 0)
  return {
    checked: sum(({ tally }) => tally.checked),
    repaired: sum(({ tally }) => tally.drifted) + listed.length,
    failed: sum(({ failed }) => failed),
  }
}

async function adaBuys(on = s, product = MONTHLY, options: Parameters<IosApiStage['buy']>[1] = {}) {
  const payload = on.buy(product, options)
  await on.receipt(ADA, payload)
  return payload
}

interface Lost {
  product?: typeof MONTHLY
  /** Time of the change at the store, after the purchase. */
  after: number
  /** Time at which the server learns of it. */
  updatedAfter: number
  /** The sweep has not run before. */
  isUnswept?: boolean
  kind: NotificationKind
  turn(on: IosApiStage, bought: TransactionPayload): TransactionPayload
  events: string[]
}

/** The next period of a purchase, charged on time. */
const renewed = (on: IosApiStage, bought: TransactionPayload): TransactionPayload => {
  const next = renew(on, bought, MONTHLY)
  const start = bought.expiresDate ?? 0
  return { ...next, transactionId: '2900000000000777', purchaseDate: start, expiresDate: start + 31 * DAY }
}

const asBought = (_: IosApiStage, bought: TransactionPayload) => bought

/** All data of Ada that can be read, without the way in which it arrived and without random ids. */
async function seen(on: IosApiStage) {
  const { id } = await rowOf(on, ADA)
  const events = (await on.events(id)).map(({ type, data, before, after, environment }) => {
    return { type, data, before, after, environment }
  })
  const text = JSON.stringify({
    events,
    access: await access(on, ADA),
    money: await money(on, id),
    balances: await balances(on, ADA),
  })
  return JSON.parse(text.replaceAll(/\b([a-z]{3})_[0-9a-z]{26}/g, '$1'))
}

describe('a notification that was lost', () => {
  const cases: Record<string, Lost> = {
    'of a renewal': {
      after: 30 * DAY,
      updatedAfter: 30 * DAY + HOUR,
      isUnswept: true,
      kind: ['DID_RENEW', null],
      turn: renewed,
      events: ['purchase.renewed'],
    },
    'of a renewal, heard of after the end was told': {
      after: 30 * DAY,
      updatedAfter: 33 * DAY,
      kind: ['DID_RENEW', null],
      turn: renewed,
      events: ['purchase.expired', 'entitlement.revoked', 'purchase.renewed', 'entitlement.granted'],
    },
    'of a cancellation': {
      after: 2 * DAY,
      updatedAfter: 3 * DAY,
      kind: ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'],
      turn: asBought,
      events: ['purchase.cancelled'],
    },
    'of a refund': {
      after: 2 * DAY,
      updatedAfter: 3 * DAY,
      kind: ['REFUND', null],
      turn: refund,
      events: ['purchase.refunded', 'entitlement.revoked'],
    },
    'of a failed charge with grace': {
      after: 30 * DAY,
      updatedAfter: 31 * DAY,
      kind: ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD'],
      turn: asBought,
      events: [
        'purchase.expired',
        'entitlement.revoked',
        'purchase.billing_issue',
        'purchase.grace_period',
        'entitlement.granted',
      ],
    },
    'of a failed charge without grace': {
      after: 30 * DAY,
      updatedAfter: 31 * DAY,
      kind: ['DID_FAIL_TO_RENEW', null],
      turn: asBought,
      events: ['purchase.expired', 'entitlement.revoked', 'purchase.billing_issue'],
    },
    'of the refund of a lifetime purchase': {
      product: LIFETIME,
      after: 5 * DAY,
      updatedAfter: 6 * DAY,
      kind: ['REFUND', null],
      turn: refund,
      events: ['purchase.refunded', 'entitlement.revoked'],
    },
    'of the refund of coins': {
      product: COINS,
      after: DAY,
      updatedAfter: 2 * DAY,
      kind: ['REFUND', null],
      turn: refund,
      events: ['purchase.refunded'],
    },
  }

  /**
   * Two stages learn of the change at the same instant: one by a late notification, the other by the reconciliation.
   */
  async function live(
    { product = MONTHLY, after, updatedAfter, isUnswept, turn }: Lost,
    update: (on: IosApiStage, turned: TransactionPayload) => Promise<unknown>,
  ) {
    const on = await iosApiStage()
    try {
      const newEvents = listenTo(on, ADA)
      const bought = await adaBuys(on, product)
      const start = on.ctx.clock.now()
      await newEvents()
      on.ctx.clock.set(start + after)
      const turned = turn(on, bought)
      on.ctx.clock.set(start + updatedAfter)
      if (!isUnswept) await sweepPurchases(on.ctx)
      await update(on, turned)
      return { events: await newEvents(), seen: await seen(on) }
    } finally {
      await on.close()
    }
  }

  for (const [fact, lost] of Object.entries(cases))
    test(`${fact} is made good as if it had come`, async () => {
      const late = await live(lost, (on, turned) => notify(on, lost.kind, turned))
      const requestedPaths = await live(lost, async (on, turned) => {
        storeSays(on, lost.kind, turned)
        expect(await run(on)).toEqual({ checked: 1, repaired: 1, failed: 0 })
      })
      expect(requestedPaths.events).toEqual(lost.events)
      expect(requestedPaths).toEqual(late)
    })

  test('and comes after all changes nothing any more, and counts its money once', async () => {
    const bought = await adaBuys()
    s.ctx.clock.advance(31 * DAY)
    const turned = renewed(s, bought)
    storeSays(s, ['DID_RENEW', null], turned)
    await run()
    const newEvents = listenTo(s, ADA)
    await newEvents()
    s.ctx.clock.advance(HOUR)
    expect((await notify(s, ['DID_RENEW', null], turned)).status).toBe(200)
    expect(await newEvents()).toEqual([])
    expect(await money(s, (await rowOf(s, ADA)).id)).toEqual([
      ['INITIAL', 9_990_000],
      ['RENEWAL', 9_990_000],
    ])
  })

  test('is told with its cause', async () => {
    const bought = await adaBuys()
    s.ctx.clock.advance(2 * DAY)
    storeSays(s, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'], bought)
    await run()
    expect(await lastEvent(s, ADA, 'purchase.cancelled')).toMatchObject({
      cause: { kind: 'RECONCILE', ref: null, store: 'IOS_STORE', detail: null },
    })
  })

  test('of a family-shared chain is made good for all who hold it', async () => {
    const shared = s.buy(MONTHLY, { ownershipType: 'FAMILY_SHARED' })
    for (const device of [ADA, 'svc_bo']) await s.receipt(device, shared)
    s.ctx.clock.advance(2 * DAY)
    storeSays(s, ['REVOKE', null], refund(s, shared))
    // Both purchases are checked. The answer for the first also corrects the second, at the latest while the second is
    // fetched.
    expect(await run()).toMatchObject({ checked: 2, failed: 0 })
    for (const device of [ADA, 'svc_bo']) {
      expect(await access(s, device)).toEqual({})
      const { id } = await rowOf(s, device)
      const types = ['purchase.initial', 'entitlement.granted', 'purchase.revoked']
      expect(await eventTypes(s, id)).toEqual([...types, 'entitlement.revoked'])
      expect(await money(s, id)).toEqual([])
    }
  })
})

describe('what is as the store says', () => {
  test('is asked about daily, and leaves no trace but the time of the next asking', async () => {
    storeSays(s, ['DID_RENEW', null], await adaBuys())
    const before = await everything(s)
    const unmoved = (lines: string[]) => lines.map((line) => line.replace(/"recheckAt":\d+/, ''))
    for (const day of [1, 2, 3]) {
      s.ctx.clock.advance(DAY)
      expect(await run()).toEqual({ checked: 1, repaired: 0, failed: 0 })
      expect(requestedPaths(s)).toHaveLength(day)
      expect(unmoved(await everything(s))).toEqual(unmoved(before))
      expect(await run()).toEqual({ checked: 0, repaired: 0, failed: 0 })
    }
  })

  test('is not asked about when it was heard of within a day', async () => {
    await adaBuys()
    s.ctx.clock.advance(DAY - 1)
    expect(await run()).toEqual({ checked: 0, repaired: 0, failed: 0 })
    s.ctx.clock.advance(1)
    expect(await run()).toMatchObject({ checked: 1 })
  })

  test('is asked about shortly after its end, a day later, and then never again', async () => {
    const bought = await adaBuys()
    storeSays(s, ['DID_RENEW', null], bought)
    s.ctx.clock.set((bought.expiresDate ?? 0) - HOUR)
    await run()
    const counts: number[] = []
    for (const after of [14 * MINUTE, 15 * MINUTE, DAY, DAY + 15 * MINUTE, 3 * DAY, 300 * DAY]) {
      s.ctx.clock.set((bought.expiresDate ?? 0) + after)
      counts.push((await run()).checked)
    }
    expect(counts).toEqual([0, 1, 0, 1, 0, 0])
    expect(await access(s, ADA)).toEqual({})
  })

  test('is asked about by its transaction when it was bought once, and ever less', async () => {
    const { transactionId } = await adaBuys(s, LIFETIME)
    storeSays(s, ['ONE_TIME_CHARGE', null], s.buy(LIFETIME, { transactionId }))
    s.ctx.clock.advance(100 * DAY)
    await run()
    expect(requestedPaths(s)).toEqual([`/inApps/v1/transactions/${transactionId}`])
    s.ctx.clock.advance(9 * DAY)
    expect(await run()).toMatchObject({ checked: 0 })
    s.ctx.clock.advance(DAY)
    expect(await run()).toMatchObject({ checked: 1 })
  })
})

describe('nothing changes', () => {
  /** Expects that the purchase stays as it is; `failed` says whether it is checked again soon. */
  async function expectUntouched(failed: number): Promise<void> {
    s.ctx.clock.advance(2 * DAY)
    const before = await access(s, ADA)
    const newEvents = listenTo(s, ADA)
    await newEvents()
    expect(await run()).toEqual({ checked: 1 - failed, repaired: 0, failed })
    expect(await newEvents()).toEqual([])
    expect(await access(s, ADA)).toEqual(before)
    s.ctx.clock.advance(31 * MINUTE)
    expect((await run()).failed).toBe(failed)
  }

  test('when the store does not know the purchase', async () => {
    await adaBuys()
    await expectUntouched(0)
  })

  test('when its answer is signed by somebody else', async () => {
    const bought = await adaBuys()
    storeSays(s, ['REFUND', null], refund(s, bought))
    const held = s.api.facts.statuses.get(bought.originalTransactionId)
    if (held) held.signedTransactionInfo = `${held.signedTransactionInfo?.slice(0, -4)}AAAA`
    await expectUntouched(1)
  })

  test('when its renewal is signed by somebody else', async () => {
    const bought = await adaBuys()
    storeSays(s, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'], bought)
    const held = s.api.facts.statuses.get(bought.originalTransactionId)
    if (held) held.signedRenewalInfo = `${held.signedRenewalInfo?.slice(0, -4)}AAAA`
    await expectUntouched(1)
  })

  const wrong: Record<string, Partial<TransactionPayload>> = {
    'is about another app': { bundleId: 'com.example.other' },
    'is about another purchase': { originalTransactionId: '2000000000009999' },
    'is of Xcode': { environment: 'Xcode' },
  }
  for (const [fact, change] of Object.entries(wrong))
    test(`when its answer ${fact}`, async () => {
      const bought = await adaBuys()
      storeSays(s, ['REFUND', null], refund(s, bought))
      const held = s.api.facts.statuses.get(bought.originalTransactionId)
      if (held) held.signedTransactionInfo = signTransaction(s.keys, { ...refund(s, bought), ...change })
      await expectUntouched(1)
    })

  test('when it answers about a copy of the other kind', async () => {
    const bought = await adaBuys()
    storeSays(s, ['REVOKE', null], { ...refund(s, bought), inAppOwnershipType: 'FAMILY_SHARED' })
    await expectUntouched(0)
    const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)
    const [purchase, ...others] = await purchases()
    if (!purchase || others.length > 0) throw new Error('not one purchase')
    // It also changes nothing when another caller than the reconciliation fetches.
    await refreshIosPurchase(s.ctx, await s.ctx.state.projects.get(s.project.id), purchase, causeOf('RESTORE', null))
    expect(await purchases()).toEqual([purchase])
  })

  for (const trouble of [
    { body: 'not JSON' },
    { body: '{}' },
    { status: 401 },
    { status: 403 },
    { status: 500 },
    { status: 429 },
  ])
    test(`when the store answers ${JSON.stringify(trouble)}`, async () => {
      storeSays(s, ['REFUND', null], refund(s, await adaBuys()))
      s.api.trouble = trouble
      await expectUntouched(1)
    })
})
