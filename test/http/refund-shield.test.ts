import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { listForReplay, replayStoreEvent } from '../../src/intake/catch-up/replay'
import { answerRequest } from '../../src/intake/refund-shield/answer'
import { refundShieldMetrics } from '../../src/intake/refund-shield/service'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { LIFETIME, MONTHLY } from '../support/cast'
import type { TestContext } from '../support/context'
import { damage, everything, refund, rowOf } from '../support/facts'
import { countAsPaid, type IosApiStage, iosApiStage, saveKey, saveShield, sold, workerOf } from '../support/ios-api'
import { deliver, lastStoreEvent, notificationBody, notify, storeEvents } from '../support/notify'

let s: IosApiStage
beforeEach(async () => {
  s = await iosApiStage()
})
afterEach(() => s.close())

const ASKED = ['CONSUMPTION_REQUEST', null] as const
const DECLINED = ['REFUND_DECLINED', null] as const
const REFUNDED = ['REFUND', null] as const
const REVERSED = ['REFUND_REVERSED', null] as const

const later = (ms: number) => s.ctx.clock.advance(ms)
const jobs = () => s.ctx.db.select().from(s.ctx.tables.jobs)
const metrics = () => refundShieldMetrics(s.ctx, s.project.id)

/** Ada buys a month, and the store sends a consumption request about it. */
async function askedAbout(): Promise<TransactionPayload> {
  const transaction = await sold(s, 'svc_ada', MONTHLY)
  await notify(s, ASKED, transaction)
  return transaction
}

async function response() {
  const [row, ...more] = await s.responses()
  if (!row || more.length > 0) throw new Error(`${more.length + (row ? 1 : 0)} responses`)
  return row
}

/** Lets time pass and runs the due jobs, by default one hour after the request. */
async function workAfter(ms = HOUR) {
  later(ms)
  await s.work()
  return response()
}

describe('a request', () => {
  test('is answered after the delay, once', async () => {
    const month = await askedAbout()
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED', error: null })
    const now = s.ctx.clock.now()
    const { id: subscriberId } = await rowOf(s, 'svc_ada')
    const planned = { status: 'PENDING', dueAt: now + HOUR, deadlineAt: now + 12 * HOUR, askedAt: now, subscriberId }
    expect(await response()).toMatchObject({ ...planned, sentAt: null, attempts: 0, outcome: null })
    expect((await workAfter(HOUR - 1)).status).toBe('PENDING')
    expect(s.answers()).toEqual([])
    const sent = await workAfter(1)
    expect(s.answers()).toMatchObject([{ transactionId: month.transactionId, customerConsented: true }])
    expect(sent).toMatchObject({ status: 'SENT', sentAt: s.ctx.clock.now(), error: null, attempts: 1 })
    await workAfter(30 * MINUTE)
    expect([s.answers().length, await jobs()]).toEqual([1, []])
  })

  test('changes no purchase, no money, no event', async () => {
    const month = await sold(s, 'svc_ada', MONTHLY)
    const before = await everything(s)
    await notify(s, ASKED, month)
    await workAfter()
    expect(await everything(s)).toEqual(before)
  })

  const delays: [delayMinutes: number, ms: number][] = [
    [0, 0],
    [660, 11 * HOUR],
  ]
  for (const [delayMinutes, ms] of delays)
    test(`is due after ${delayMinutes} minutes where the project says so`, async () => {
      await saveShield(s, { delayMinutes })
      await askedAbout()
      if (ms > 0) expect((await workAfter(ms - 1)).status).toBe('PENDING')
      expect((await workAfter(ms > 0 ? 1 : 0)).status).toBe('SENT')
    })

  test('delivered again, replayed and delivered 100 times at once is one row and one answer', async () => {
    const month = await sold(s, 'svc_ada', MONTHLY)
    const body = notificationBody(s, ASKED, month)
    const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await deliver(s, body)).status))
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true)
    expect((await deliver(s, body)).body.data).toEqual({ received: true, duplicate: true })
    for (const id of await listForReplay(s.ctx, {})) await replayStoreEvent(s.ctx, id)
    expect([(await s.responses()).length, (await jobs()).length]).toEqual([1, 1])
    await workAfter()
    for (const id of await listForReplay(s.ctx, {})) await replayStoreEvent(s.ctx, id)
    await workAfter()
    expect(s.answers().length).toBe(1)
    expect((await storeEvents(s)).map(({ status }) => status)).toEqual(['PROCESSED'])
  })

  test('is of the project that it came to', async () => {
    const month = await sold(s, 'svc_ada', MONTHLY)
    await notify(s, ASKED, month, { projectId: s.other.id })
    expect(await s.responses()).toMatchObject([{ projectId: s.other.id, status: 'SKIPPED_DISABLED' }])
    expect(await metrics()).toMatchObject({ requests: 0 })
  })
})

describe('nothing is sent', () => {
  const settings = [
    ['the shield is off', { enabled: false }] as const,
    ['nobody consented', { customerConsented: false }] as const,
  ]
  for (const [name, shield] of settings) {
    test(`where ${name}`, async () => {
      await saveShield(s, shield)
      await askedAbout()
      expect((await workAfter()).status).toBe('SKIPPED_DISABLED')
      expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED' })
      expect([s.server.requests, await jobs()]).toEqual([[], []])
    })

    test(`where ${name} by the time that it is due`, async () => {
      await askedAbout()
      await saveShield(s, shield)
      expect((await workAfter()).status).toBe('SKIPPED_DISABLED')
      expect(s.server.requests).toEqual([])
    })
  }

  test('about a transaction that nobody has reported, and it makes no purchase', async () => {
    const before = await everything(s)
    await notify(s, ASKED, s.buy(MONTHLY))
    expect(await workAfter()).toMatchObject({ status: 'SKIPPED_NOT_FOUND', subscriberId: null, purchaseId: null })
    expect([s.server.requests, await everything(s)]).toEqual([[], before])
  })

  test('about somebody who was erased, before or after the store asked', async () => {
    await askedAbout()
    const { id } = await rowOf(s, 'svc_ada')
    await damage(s, id, { erasedAt: s.ctx.clock.now() })
    expect((await workAfter()).status).toBe('SKIPPED_NOT_FOUND')
    const lifetime = s.buy(LIFETIME)
    await notify(s, ['ONE_TIME_CHARGE', null], lifetime)
    await damage(s, (await rowOf(s, `ios:${lifetime.transactionId}`)).id, { erasedAt: s.ctx.clock.now() })
    await notify(s, ASKED, lifetime)
    expect((await s.responses()).map(({ status }) => status)).toEqual(['SKIPPED_NOT_FOUND', 'SKIPPED_NOT_FOUND'])
    expect(s.server.requests).toEqual([])
  })

  test('without a key, and the row says what to save', async () => {
    await askedAbout()
    await saveKey(s, null)
    expect(await workAfter()).toMatchObject({ status: 'FAILED', error: expect.stringContaining('inAppPurchaseKey') })
    expect(await jobs()).toEqual([])
  })

  test('with a key that cannot be read', async () => {
    await askedAbout()
    await saveKey(s, 'not a key')
    expect(await workAfter()).toMatchObject({ status: 'FAILED', error: expect.stringContaining('REJECTED') })
    expect(s.server.requests).toEqual([])
  })

  test('to a request that comes after the store has decided', async () => {
    const month = await sold(s, 'svc_ada', MONTHLY)
    const body = notificationBody(s, ASKED, month)
    later(12 * HOUR + 1)
    await deliver(s, body)
    expect(await workAfter()).toMatchObject({ status: 'FAILED', error: 'SLA_EXCEEDED' })
    expect(s.server.requests).toEqual([])
  })

  test('twelve hours after the request, when nobody was there to send', async () => {
    await askedAbout()
    expect(await workAfter(12 * HOUR + 1)).toMatchObject({ status: 'FAILED', error: 'SLA_EXCEEDED', attempts: 0 })
    expect(s.server.requests).toEqual([])
    expect(s.ctx.lines.some((line) => line.includes('stays unanswered'))).toBe(true)
  })

  test('and one that a sandbox store signed about a paid purchase is refused', async () => {
    const month = await sold(s, 'svc_ada', MONTHLY)
    const { purchases: p } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(p).set({ environment: 'PRODUCTION' }))
    await notify(s, ASKED, month)
    expect(await lastStoreEvent(s)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('environment') })
    expect(await s.responses()).toEqual([])
  })
})

describe('a store with faults', () => {
  /** Minutes between the attempts of wire 5.12. */
  const WAITS = [1, 5, 30, 120, 360]

  for (const status of [429, 500, 503])
    test(`that answers ${status} is asked again after 1, 5, 30, 120 and 360 minutes, and then no more`, async () => {
      await askedAbout()
      s.server.trouble = { status }
      let row = await workAfter()
      for (const [index, minutes] of WAITS.entries()) {
        const wait = row.dueAt - s.ctx.clock.now()
        expect(row).toMatchObject({ status: 'PENDING', attempts: index + 1, sentAt: null })
        expect(wait).toBeGreaterThanOrEqual(minutes * MINUTE)
        expect(wait).toBeLessThanOrEqual(minutes * MINUTE + 30 * SECOND)
        await workAfter(wait - 1)
        expect(s.answers().length).toBe(index + 1)
        row = await workAfter(1)
        expect(s.answers().length).toBe(index + 2)
      }
      expect(row).toMatchObject({ status: 'FAILED', error: 'RETRIES_EXHAUSTED', attempts: 6 })
      expect(await jobs()).toEqual([])
    })

  test('that is well again takes the answer, with the facts of then', async () => {
    await askedAbout()
    s.server.trouble = { status: 500, times: 1 }
    await saveShield(s, { policy: 'grant' })
    expect((await workAfter()).error).toContain('STORE_UNAVAILABLE')
    await saveShield(s, { policy: 'neutral' })
    expect(await workAfter(2 * MINUTE)).toMatchObject({ status: 'SENT', error: null, attempts: 2 })
    expect(s.answers().map(({ refundPreference }) => refundPreference)).toEqual([1, 3])
  })

  test('that cannot be reached is asked again', async () => {
    await askedAbout()
    await s.server.close()
    expect(await workAfter()).toMatchObject({ status: 'PENDING', attempts: 1 })
  })

  test('is not asked before the time that it names', async () => {
    await askedAbout()
    s.server.trouble = { status: 429, retryAfter: '900', times: 1 }
    const { dueAt } = await workAfter()
    expect(dueAt - s.ctx.clock.now()).toBeGreaterThanOrEqual(15 * MINUTE)
    expect((await workAfter(15 * MINUTE - 1)).status).toBe('PENDING')
    expect((await workAfter(MINUTE)).status).toBe('SENT')
  })

  test('until the twelve hours are over is given up', async () => {
    await saveShield(s, { delayMinutes: 660 })
    await askedAbout()
    s.server.trouble = { status: 500 }
    let row = await workAfter(11 * HOUR)
    while (row.status === 'PENDING') row = await workAfter(row.dueAt - s.ctx.clock.now())
    expect(row).toMatchObject({ status: 'FAILED', error: 'SLA_EXCEEDED' })
    expect(s.ctx.clock.now()).toBeLessThanOrEqual(row.deadlineAt)
    const calls = s.answers().length
    await workAfter(2 * HOUR)
    expect(s.answers().length).toBe(calls)
  })

  const refusals: [status: number, errorCode: number | null, says: string][] = [
    [400, 4000010, 'answered 400 with its error 4000010'],
    [401, null, 'answered 401; save a valid stores.ios.inAppPurchaseKey'],
    [403, null, 'answered 403'],
    [404, 4040010, 'answered 404 with its error 4040010'],
  ]
  for (const [status, errorCode, says] of refusals)
    test(`that refuses with ${status} is not asked again`, async () => {
      await askedAbout()
      s.server.trouble = { status, ...(errorCode === null ? {} : { errorCode }) }
      const row = await workAfter()
      expect(row).toMatchObject({ status: 'FAILED', sentAt: null })
      expect(row.error).toContain(`REJECTED: the store ${says}`)
      await workAfter(HOUR)
      expect([s.answers().length, await jobs()]).toEqual([1, []])
    })
})

describe('a process', () => {
  test('that dies between the call and its note is followed by one more answer', async () => {
    await askedAbout()
    later(HOUR)
    const { write } = s.ctx
    let writes = 0
    // The first write counts the attempt; the second would record the result.
    const dying = { ...s.ctx, write: ((work) => (++writes > 1 ? new Promise(() => {}) : write(work))) as typeof write }
    void answerRequest(dying as TestContext, (await response()).id)
    while (writes < 2) await Bun.sleep(1)
    expect(await response()).toMatchObject({ status: 'PENDING', attempts: 1 })
    await s.work()
    expect(await response()).toMatchObject({ status: 'SENT', attempts: 2 })
    expect(s.answers().length).toBe(2)
    expect(await workAfter()).toMatchObject({ status: 'SENT' })
    expect(s.answers().length).toBe(2)
  })

  test('that comes too early comes back, after a failed attempt too', async () => {
    await askedAbout()
    const { id, dueAt } = await response()
    expect(await answerRequest(s.ctx, id)).toBe(dueAt)
    s.server.trouble = { status: 500, times: 1 }
    const failed = await workAfter()
    expect(await answerRequest(s.ctx, id)).toBe(failed.dueAt)
    expect(s.answers().length).toBe(1)
  })

  test('beside another: one of them sends', async () => {
    await askedAbout()
    const other = await createContext(s.ctx.config, { clock: s.ctx.clock, log: s.ctx.log })
    later(HOUR)
    await Promise.all([s.work(), workerOf(other as TestContext).runDue()])
    await other.close()
    expect([s.answers().length, (await response()).status]).toEqual([1, 'SENT'])
  })

  test('that comes while another is at it waits, and does not overwrite what that one notes', async () => {
    await askedAbout()
    later(HOUR)
    const { id } = await response()
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>()
    s.server.trouble = { until, times: 1 }
    const both = [answerRequest(s.ctx, id), answerRequest(s.ctx, id)]
    await Promise.race(both) // One process is calling the store, and the other does not start.
    letGo()
    const [first, second] = await Promise.all(both)
    expect([first, second].filter((again) => again === null).length).toBe(1)
    expect([s.answers().length, (await response()).status]).toEqual([1, 'SENT'])
  })
})

describe('the outcome', () => {
  const outcomes = [
    [DECLINED, 'REFUND_DECLINED', { declined: 1, approved: 0, savedMicros: 9_990_000 }],
    [REFUNDED, 'REFUND_APPROVED', { declined: 0, approved: 1, savedMicros: 0 }],
  ] as const
  for (const [kind, outcome, counted] of outcomes)
    test(`${outcome} is noted with the request and counted`, async () => {
      const month = await askedAbout()
      await workAfter()
      await notify(s, kind, kind === REFUNDED ? refund(s, month) : month)
      expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED', error: null })
      expect(await response()).toMatchObject({ status: 'SENT', outcome })
      await countAsPaid(s)
      expect(await metrics()).toEqual({ requests: 1, sent: 1, ...counted })
    })

  test('of a refund that was reversed is the reversal, in either order and twice', async () => {
    const month = await askedAbout()
    await workAfter()
    later(HOUR)
    const refunded = notificationBody(s, REFUNDED, refund(s, month))
    later(HOUR)
    const reversed = notificationBody(s, REVERSED, month)
    for (const body of [reversed, refunded, reversed]) await deliver(s, body)
    for (const id of await listForReplay(s.ctx, {})) await replayStoreEvent(s.ctx, id)
    expect(await response()).toMatchObject({ outcome: 'REFUND_REVERSED', status: 'SENT' })
    expect(await metrics()).toMatchObject({ declined: 0, approved: 0, savedMicros: 0 })
  })

  test('before the answer is due leaves nothing to send', async () => {
    const month = await askedAbout()
    later(MINUTE)
    await notify(s, DECLINED, month)
    expect(await workAfter()).toMatchObject({
      status: 'FAILED',
      outcome: 'REFUND_DECLINED',
      error: expect.stringContaining('DECIDED'),
    })
    expect(s.server.requests).toEqual([])
  })

  test('that a receipt tells first leaves nothing to send either', async () => {
    const month = await askedAbout()
    later(MINUTE)
    await s.receipt('svc_ada', refund(s, month))
    expect(await workAfter()).toMatchObject({ status: 'FAILED', error: expect.stringContaining('DECIDED') })
    expect(s.server.requests).toEqual([])
  })

  test('of an earlier request does not answer a later one', async () => {
    const month = await askedAbout()
    await workAfter()
    later(HOUR)
    const declined = notificationBody(s, DECLINED, month)
    later(HOUR)
    await notify(s, ASKED, month) // The customer requests a refund again, and the first refusal arrives only now.
    await deliver(s, declined)
    expect((await s.responses()).map(({ outcome, status }) => [status, outcome])).toEqual([
      ['SENT', 'REFUND_DECLINED'],
      ['PENDING', null],
    ])
    later(HOUR)
    await s.work()
    await notify(s, REFUNDED, refund(s, month))
    expect((await s.responses()).map(({ outcome, status }) => [status, outcome])).toEqual([
      ['SENT', 'REFUND_DECLINED'],
      ['SENT', 'REFUND_APPROVED'],
    ])
    expect(s.answers().length).toBe(2)
    expect(await metrics()).toEqual({ requests: 2, sent: 2, declined: 1, approved: 1, savedMicros: 0 })
  })

  test('of a second refusal saves the money once', async () => {
    const month = await askedAbout()
    for (let round = 0; round < 2; round++) {
      later(HOUR)
      await s.work()
      await notify(s, DECLINED, month)
      later(HOUR)
      if (round === 0) await notify(s, ASKED, month)
    }
    expect((await metrics()).savedMicros).toBe(0) // In the sandbox nobody has paid.
    await countAsPaid(s)
    expect(await metrics()).toEqual({ requests: 2, sent: 2, declined: 2, approved: 0, savedMicros: 9_990_000 })
  })

  test('of a request that was not answered saves nothing', async () => {
    await saveShield(s, { enabled: false })
    const month = await askedAbout()
    await notify(s, DECLINED, month)
    expect(await metrics()).toEqual({ requests: 1, sent: 0, declined: 1, approved: 0, savedMicros: 0 })
  })

  test('of something that the store never asked about is ignored, and a refund takes effect all the same', async () => {
    const month = await sold(s, 'svc_ada', MONTHLY)
    await notify(s, DECLINED, month)
    expect(await lastStoreEvent(s)).toMatchObject({
      status: 'IGNORED',
      error: expect.stringContaining('asked nothing'),
    })
    await notify(s, REFUNDED, refund(s, month))
    expect([await s.responses(), (await lastStoreEvent(s)).status]).toEqual([[], 'PROCESSED'])
  })

  test('of one project is not that of another', async () => {
    const month = await askedAbout()
    await notify(s, DECLINED, month, { projectId: s.other.id })
    expect((await response()).outcome).toBeNull()
  })

  test('that a sandbox store signed about a paid purchase is refused', async () => {
    const month = await askedAbout()
    const { purchases: p } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(p).set({ environment: 'PRODUCTION' }))
    later(1)
    await notify(s, DECLINED, month)
    later(1)
    await notify(s, REFUNDED, refund(s, month))
    expect((await storeEvents(s)).map(({ status }) => status)).toEqual(['PROCESSED', 'FAILED', 'FAILED'])
    expect((await response()).outcome).toBeNull()
  })
})
