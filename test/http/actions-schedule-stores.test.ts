import { afterEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { sweepActions } from '../../src/commerce/actions/sweep'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { undoCancel } from '../../src/test-store/stores/payment-turns'
import { getFrom } from '../../src/test-store/stores/payment-world'
import {
  callOff,
  disconnect,
  lastAction,
  onlyPurchase,
  type Refusal,
  refundAt,
  refusalOf,
  schedule,
} from '../support/actions'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import type { Stage } from '../support/cast'
import { arrive, join } from '../support/crew'
import { access, lastEvent, listenTo } from '../support/facts'
import { type PaymentStage, paymentStage, WEB_MONTHLY } from '../support/payment-sale'

let close: () => Promise<void>
afterEach(() => close())

/** One store that has sold a month to Ada, with the functions that the tests use. */
interface Sale {
  s: Stage
  newEvents: () => Promise<string[]>
  id: string
  /** Number of cancellations that the store has received so far. */
  asked: () => number
  /** Whether the store will renew. */
  renews: () => boolean
  fail: (status: number | null) => void
  /** Delivers the notifications of the store. */
  deliverAll: () => Promise<unknown>
  section: 'android' | 'payment'
}

async function android(): Promise<Sale> {
  const s: AndroidStage = await androidStage()
  close = s.close
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  await s.token('svc_ada', token, 'pro_monthly')
  await s.deliverAll()
  const plan = () => s.server.store.subscriptions.get(token)?.resource.lineItems?.[0]?.autoRenewingPlan
  return {
    s,
    newEvents: listenTo(s, 'svc_ada'),
    id: (await onlyPurchase(s)).id,
    asked: () => s.server.requests.filter(({ path }) => path.endsWith(':cancel')).length,
    renews: () => plan()?.autoRenewEnabled ?? false,
    fail: (status) => {
      s.server.faults = status === null ? {} : { status }
    },
    deliverAll: s.deliverAll,
    section: 'android',
  }
}

async function payment(): Promise<Sale> {
  const s: PaymentStage = await paymentStage()
  close = s.close
  const { id } = subscribe(s.world, { priceId: WEB_MONTHLY })
  await s.deliverAll()
  return {
    s,
    newEvents: listenTo(s, 'svc_ada'),
    id: (await onlyPurchase(s)).id,
    asked: () =>
      s.server.requests.filter(({ method, path }) => method === 'POST' && path.includes('/subscriptions/')).length,
    renews: () => !getFrom(s.world.subscriptions, id).cancel_at_period_end,
    fail: (status) => {
      s.server.faults = { ...NO_FAULTS, status }
    },
    deliverAll: s.deliverAll,
    section: 'payment',
  }
}

for (const [name, open] of [
  ['ANDROID_STORE', android],
  ['PAYMENT', payment],
] as const)
  describe(name, () => {
    async function due(): Promise<Sale & { sweep: () => Promise<number> }> {
      const sale = await open()
      await schedule(sale.s, sale.id)
      await sale.newEvents()
      sale.s.ctx.clock.advance(DAY)
      return { ...sale, sweep: () => sweepActions(sale.s.ctx) }
    }

    test('is asked at the time, not before; the access stays, and the store’s word is no news', async () => {
      const { s, id, newEvents, asked, renews, deliverAll } = await open()
      await newEvents()
      const held = await access(s, 'svc_ada')
      const action = await schedule(s, id)
      s.ctx.clock.advance(DAY - 1)
      await sweepActions(s.ctx)
      expect([asked(), renews()]).toEqual([0, true])
      s.ctx.clock.advance(1)
      expect(await sweepActions(s.ctx)).toBe(1)
      expect([asked(), renews(), await lastAction(s)]).toMatchObject([1, false, { status: 'EXECUTED', error: null }])
      expect(await access(s, 'svc_ada')).toEqual(held)
      expect(await newEvents()).toEqual(['purchase.cancelled'])
      expect(await lastEvent(s, 'svc_ada', 'purchase.cancelled')).toMatchObject({
        cause: { kind: 'SCHEDULE', ref: action.id, store: name },
        data: { endsAt: held.pro },
      })
      s.ctx.clock.advance(MINUTE)
      await deliverAll()
      expect(await newEvents()).toEqual([])
      expect((await onlyPurchase(s)).fold.autoRenews).toBe(false)
    })

    test('that is away is asked again, ever later; then it goes through', async () => {
      const { s, sweep, asked, fail, newEvents, renews } = await due()
      fail(500)
      expect([await sweep(), await sweep(), asked()]).toEqual([0, 0, 1])
      expect(await lastAction(s)).toMatchObject({
        status: 'PENDING',
        error: expect.stringContaining('does not answer'),
      })
      s.ctx.clock.advance(MINUTE)
      expect([await sweep(), asked()]).toEqual([0, 2])
      s.ctx.clock.advance(MINUTE - 1)
      expect([await sweep(), asked()]).toEqual([0, 2])
      fail(null)
      s.ctx.clock.advance(1)
      expect([await sweep(), asked(), renews()]).toEqual([1, 3, false])
      expect(await lastAction(s)).toMatchObject({ status: 'EXECUTED', error: null })
      expect(await newEvents()).toEqual(['purchase.cancelled'])
    })

    test('that is away for a day: FAILED, told to the log, and to be scheduled anew', async () => {
      const { s, id, sweep, fail, newEvents, renews } = await due()
      fail(503)
      for (let hours = 0; hours < 26; hours++) {
        await sweep()
        s.ctx.clock.advance(HOUR)
      }
      expect(await lastAction(s)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('does not answer') })
      expect(s.ctx.lines.filter((line) => line.includes('a scheduled cancellation failed'))).toHaveLength(1)
      expect([await newEvents(), renews()]).toEqual([[], true])
      fail(null)
      expect((await schedule(s, id)).status).toBe('PENDING')
    })

    test('that was asked late, by a server that was away, is asked more than once', async () => {
      const { s, sweep, fail } = await due()
      s.ctx.clock.advance(3 * DAY)
      fail(503)
      await sweep()
      expect(await lastAction(s)).toMatchObject({ status: 'PENDING' })
      fail(null)
      s.ctx.clock.advance(HOUR)
      expect(await sweep()).toBe(1)
      expect(await lastAction(s)).toMatchObject({ status: 'EXECUTED' })
    })

    test('refuses: FAILED at once', async () => {
      const { s, sweep, fail, newEvents } = await due()
      fail(404)
      expect(await sweep()).toBe(1)
      expect(await lastAction(s)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('404') })
      expect(await newEvents()).toEqual([])
    })

    test('refuses: the owners are told, in the dashboard and by mail, and nobody else', async () => {
      const { s, sweep, fail, id } = await due()
      const owners = [await join(s, 'ada', 'OWNER'), await join(s, 'bo', 'OWNER')]
      const others = [await join(s, 'cy', 'ADMIN'), await join(s, 'dee', 'OWNER', s.other.id), await arrive(s, 'eve')]
      fail(404)
      await sweep()
      await sweep()
      const kind = 'scheduled_action_failed'
      for (const { browser } of owners) {
        const { items } = (await browser.get('/dashboard/notifications')).body.data
        expect(items).toMatchObject([{ kind, projectId: s.project.id, body: expect.stringContaining(id) }])
      }
      for (const { browser } of others)
        expect((await browser.get('/dashboard/notifications')).body.data.items).toEqual([])
      const mails = await s.ctx.db.select().from(s.ctx.tables.mails)
      expect(mails.map((mail) => [mail.kind, mail.toAddress]).sort()).toEqual(owners.map(({ email }) => [kind, email]))
    })

    test('does not believe the credentials: they may be mended within the day', async () => {
      const { s, sweep, fail } = await due()
      fail(403)
      expect(await sweep()).toBe(0)
      expect(await lastAction(s)).toMatchObject({ status: 'PENDING', error: expect.stringContaining('403') })
    })

    test('is not connected any more: FAILED', async () => {
      const { s, sweep, asked, section } = await due()
      await disconnect(s, section)
      expect([await sweep(), asked()]).toEqual([1, 0])
      expect(await lastAction(s)).toMatchObject({ status: 'FAILED' })
    })

    test('cannot be kept from cancelling while it is asked', async () => {
      const { s, id, sweep, fail } = await due()
      fail(500)
      await sweep()
      const refused: Refusal = [409, 'SCHEDULED_ACTION_CONFLICT', { reason: 'not_pending' }]
      expect(await refusalOf(() => callOff(s, id))).toEqual(refused)
      s.ctx.clock.advance(MINUTE)
      expect(await callOff(s, id)).toMatchObject({ status: 'CANCELLED' })
      fail(null)
      s.ctx.clock.advance(HOUR)
      expect(await sweep()).toBe(0)
    })

    test('that was asked by a process which died is asked again, and cancelled once', async () => {
      const { s, sweep, asked, newEvents, renews } = await due()
      const { write } = s.ctx
      let writes = 0
      // The claim is written, but the write after the store's answer fails.
      Object.assign(s.ctx, {
        write: (work: Parameters<typeof write>[0]) =>
          writes++ === 0 ? write(work) : Promise.reject(new Error('killed')),
      })
      await expect(sweep()).rejects.toThrow('killed')
      Object.assign(s.ctx, { write })
      expect([asked(), renews(), await lastAction(s)]).toMatchObject([1, false, { status: 'PENDING' }])
      expect(await sweep()).toBe(0)
      s.ctx.clock.advance(MINUTE)
      expect([await sweep(), asked()]).toEqual([1, 2])
      expect(await newEvents()).toEqual(['purchase.cancelled'])
    })

    test('is asked once by two at once', async () => {
      const { sweep, asked, newEvents } = await due()
      expect((await Promise.all([sweep(), sweep()])).toSorted()).toEqual([0, 1])
      expect([asked(), await newEvents()]).toEqual([1, ['purchase.cancelled']])
    })

    test('is not asked about what was refunded before', async () => {
      const { s, id } = await open()
      await schedule(s, id)
      await refundAt(s, { purchaseId: id })
      s.ctx.clock.advance(DAY)
      expect(await sweepActions(s.ctx)).toBe(1)
      const error = 'the purchase had ended before (REFUNDED)'
      expect(await lastAction(s)).toMatchObject({ status: 'CANCELLED', error })
    })

    test('is asked about what only the clock has ended: its renewal may not be told yet', async () => {
      const { s, id, asked, fail } = await open()
      const { effectiveEnd } = await onlyPurchase(s)
      await schedule(s, id, { dueAt: (effectiveEnd ?? 0) + MINUTE })
      s.ctx.clock.set((effectiveEnd ?? 0) + MINUTE)
      expect((await onlyPurchase(s)).status).toBe('EXPIRED')
      fail(404)
      expect([await sweepActions(s.ctx), asked()]).toEqual([1, 1])
      expect(await lastAction(s)).toMatchObject({ status: 'CANCELLED', error: expect.stringContaining('had ended') })
    })

    test('is never asked to revoke', async () => {
      const { s, id } = await open()
      const refused: Refusal = [400, 'REVOKE_IMMEDIATELY_UNSUPPORTED', undefined]
      expect(await refusalOf(() => schedule(s, id, { revokeImmediately: true }))).toEqual(refused)
    })
  })

describe('a provider that takes longer than a try may', () => {
  async function slow() {
    const { s, id, newEvents } = await payment()
    await schedule(s, id)
    await newEvents()
    s.ctx.clock.advance(DAY)
    const { asked, release } = (s as PaymentStage).hold()
    const first = sweepActions(s.ctx)
    await asked
    s.ctx.clock.advance(MINUTE)
    return { s, id, newEvents, release, first }
  }

  test('has cancelled all the same, though the action was called off', async () => {
    const { s, id, newEvents, release, first } = await slow()
    await callOff(s, id)
    release()
    expect(await first).toBe(0)
    expect(await lastAction(s)).toMatchObject({ status: 'CANCELLED', error: null })
    expect(await newEvents()).toEqual(['purchase.cancelled'])
  })

  test('is asked by somebody else, and what both hear is one word', async () => {
    const { s, newEvents, release, first } = await slow()
    const second = sweepActions(s.ctx)
    release()
    expect((await Promise.all([first, second])).toSorted()).toEqual([0, 1])
    expect(await newEvents()).toEqual(['purchase.cancelled'])
    const kept = await s.ctx.db.select().from(s.ctx.tables.observations)
    const words = kept.filter(({ cause }) => cause.kind === 'SCHEDULE').map(({ id }) => id)
    expect(words).toEqual([`cancel:${(await lastAction(s)).id}`])
  })
})

test('a customer who comes back after it is told as such', async () => {
  const { s, id, newEvents, deliverAll } = await payment()
  await schedule(s, id)
  s.ctx.clock.advance(DAY)
  await sweepActions(s.ctx)
  await deliverAll()
  await newEvents()
  s.ctx.clock.advance(HOUR)
  const { world } = s as PaymentStage
  undoCancel(world, [...world.subscriptions.keys()][0] ?? '')
  await deliverAll()
  expect(await newEvents()).toEqual(['purchase.uncancelled'])
  expect((await onlyPurchase(s)).fold.autoRenews).toBe(true)
})
