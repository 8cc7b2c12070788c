import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { createApp } from '../../src/app'
import { BodyBudget } from '../../src/base/http/body-budget'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { keepRefused, REFUSED_PER_DAY } from '../../src/intake/inbox/inbox'
import { pruneStoreEvents } from '../../src/intake/inbox/retention'
import { type SlotLimits, WorkSlots } from '../../src/intake/inbox/work-slots'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { deliver, notificationBody, notify, storeEvents } from '../support/notify'
import { exchange, holdOpen, jsonOf } from '../support/socket'

const BOUGHT = ['SUBSCRIBED', 'INITIAL_BUY'] as const

let s: Stage
let url: string
let stop: () => Promise<unknown> | undefined
beforeAll(async () => {
  s = await stage({ env: { SVC_TRUSTED_PROXIES: '1' } })
  const app = createApp(s.ctx).listen({ hostname: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${app.server?.port}`
  stop = async () => app.server?.stop(true)
})
afterAll(async () => {
  await stop()
  await s.close()
})
beforeEach(() => s.ctx.clock.advance(2 * DAY))

/** A notification of another app that the store has signed. */
const foreign = () =>
  notificationBody(s, BOUGHT, { ...s.buy(MONTHLY), bundleId: 'com.other' }, { bundleId: 'com.other' })

describe('the notifications of one address', () => {
  const held: Socket[] = []
  beforeEach(() => withLimits({}))
  afterEach(async () => {
    for (const socket of held.splice(0)) socket.destroy()
    while (s.ctx.state.webhookSlots.size > 0) await Bun.sleep(2)
    expect(s.ctx.state.bodies.heldBytes).toBe(0)
  })

  const withLimits = (limits: Partial<SlotLimits>): void => {
    const defaults = { atWork: 8, waiting: 64, waitingBytes: 1e6, patienceMs: 60_000 }
    s.ctx.state.webhookSlots = new WorkSlots({ ...defaults, ...limits })
    s.ctx.state.bodies = new BodyBudget({ totalBytes: 1e6, patienceMs: 60_000 })
  }

  const requestOf = (length: number, body: string, from: string): string =>
    `POST /webhooks/ios/${s.project.id} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${from}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`

  /** Requests that have sent a part of their body. */
  async function hold(count: number, from: string, length = 1000): Promise<Socket[]> {
    const before = s.ctx.state.bodies.heldBytes
    const sockets: Socket[] = []
    for (let index = 0; index < count; index++) sockets.push(await holdOpen(url, requestOf(length, '{', from)))
    held.push(...sockets)
    while (s.ctx.state.bodies.heldBytes < before + count * length) await Bun.sleep(2)
    return sockets
  }

  const send = (from: string) => {
    const body = JSON.stringify(notificationBody(s, BOUGHT, s.buy(MONTHLY)))
    return exchange(url, requestOf(body.length, body, from))
  }

  test('are eight at work; a ninth waits until one is done, and other addresses do not', async () => {
    const [first] = await hold(8, '203.0.113.1')
    let isAnswered = false
    const ninth = send('203.0.113.1').then((seen) => {
      isAnswered = true
      return seen
    })
    expect((await send('203.0.113.2')).status).toBe(200)
    expect(isAnswered).toBe(false)
    first?.destroy()
    expect((await ninth).status).toBe(200)
  })

  test('that wait start in the order of their arrival', async () => {
    withLimits({ atWork: 1 })
    const [first] = await hold(1, '203.0.113.1')
    const order: number[] = []
    const sent: Promise<unknown>[] = []
    for (const index of [1, 2, 3]) {
      const before = s.ctx.state.bodies.heldBytes
      sent.push(send('203.0.113.1').then(() => order.push(index)))
      while (s.ctx.state.bodies.heldBytes === before) await Bun.sleep(2)
    }
    first?.destroy()
    await Promise.all(sent)
    expect(order).toEqual([1, 2, 3])
  })

  test('wait no longer than the time for it, and are 429 then', async () => {
    withLimits({ patienceMs: 30 })
    await hold(8, '203.0.113.1')
    const seen = await send('203.0.113.1')
    expect([seen.status, jsonOf(seen)?.error]).toEqual([
      429,
      { code: 'RATE_LIMITED', message: 'Too many requests', details: { retryAfterSeconds: 5 } } as never,
    ])
    expect(seen.text).toMatch(/^retry-after: 5\r$/im)
  })

  test('wait in small number, and with little to read', async () => {
    withLimits({ atWork: 1, waiting: 2 })
    await hold(3, '203.0.113.1')
    expect((await send('203.0.113.1')).status).toBe(429)
    withLimits({ atWork: 1, waitingBytes: 1500 })
    await hold(2, '203.0.113.3')
    expect((await exchange(url, requestOf(501, '{', '203.0.113.3'))).status).toBe(429)
  })

  test('that wait and whose sender leaves wait no more', async () => {
    withLimits({ atWork: 1 })
    await hold(1, '203.0.113.1')
    const [gone] = await hold(1, '203.0.113.1', 500)
    gone?.destroy()
    while (s.ctx.state.bodies.heldBytes > 1000) await Bun.sleep(2)
  })

  test('that wait start when the server stops', async () => {
    withLimits({ atWork: 1 })
    await hold(1, '203.0.113.1')
    const before = s.ctx.state.bodies.heldBytes
    const waiting = send('203.0.113.1')
    while (s.ctx.state.bodies.heldBytes === before) await Bun.sleep(2)
    s.ctx.state.webhookSlots.drain()
    expect((await waiting).status).toBe(200)
  })
})

/** As if so many refused notifications had been kept today, so that the test need not post them. */
const seedKept = (kept: number) =>
  s.ctx.write(async (tx) => {
    const row = { projectId: s.project.id, day: Math.floor(s.ctx.clock.now() / DAY), kept }
    await tx.db.insert(tx.tables.storeRefusals).values(row)
  })

describe('refused ones', () => {
  test('are kept without what the store did not sign, and still say why and can be replayed', async () => {
    const body = foreign()
    expect((await deliver(s, { ...body, pad: 'x'.repeat(500_000), signedpayload: 'y' })).status).toBe(401)
    const row = (await storeEvents(s)).at(-1)
    expect(row).toMatchObject({
      status: 'FAILED',
      type: 'SUBSCRIBED/INITIAL_BUY',
      error: 'it is for another app (bundle id) [data]',
      body: JSON.stringify(body),
    })
  })

  test('above the limit of the address leave nothing behind', async () => {
    for (let count = 0; count < 200; count++) expect((await deliver(s, {})).status).toBe(400)
    const before = (await storeEvents(s)).length
    expect((await deliver(s, foreign())).status).toBe(429)
    expect(await storeEvents(s)).toHaveLength(before)
    expect((await notify(s, BOUGHT, s.buy(MONTHLY))).status).toBe(200)
    s.ctx.clock.advance(MINUTE)
    expect((await deliver(s, foreign())).status).toBe(401)
    expect(await storeEvents(s)).toHaveLength(before + 2)
  })

  test('count on every address below /webhooks/, known or not', async () => {
    const paths = ['/webhooks/x', '/webhooks/ios', `/webhooks/ios/${s.project.id}/more`, '/webhooks/']
    for (let count = 0; count < 200; count++) {
      const path = paths[count % paths.length] ?? ''
      expect((await s.call(count % 3 ? 'POST' : 'GET', path, { key: null })).status).toBe(404)
    }
    const limited = await s.call('POST', '/webhooks/x', { key: null })
    expect([limited.status, limited.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect((await s.call('DELETE', `/webhooks/ios/${s.project.id}`, { key: null })).status).toBe(429)
    expect((await deliver(s, {})).status).toBe(429)
  })

  test('are kept 1000 of a day for each project, which a restart does not change', async () => {
    const keep = (projectId: string, id: string) =>
      keepRefused(
        s.ctx,
        {
          projectId,
          store: 'IOS_STORE',
          notificationId: id,
          type: 'TEST',
          environment: null,
          eventAt: null,
          body: '{}',
        },
        'it was refused',
      )
    const keptOf = async (projectId: string) =>
      (await storeEvents(s)).filter((row) => row.projectId === projectId && row.notificationId.startsWith('many'))
        .length
    await seedKept(REFUSED_PER_DAY - 10)
    for (let count = 0; count < 15; count++) await keep(s.project.id, `many ${count}`)
    expect([REFUSED_PER_DAY, await keptOf(s.project.id)]).toEqual([1000, 10])
    expect((await deliver(s, foreign())).status).toBe(401)
    expect((await storeEvents(s)).at(-1)?.notificationId).toStartWith('many')
    await keep(s.project.id, 'many 1') // One that is there counts another attempt, and takes no room.
    expect((await storeEvents(s)).find(({ notificationId }) => notificationId === 'many 1')?.attempts).toBe(2)
    await keep(s.other.id, 'many 1')
    expect(await keptOf(s.other.id)).toBe(1)
    s.ctx.clock.advance(DAY)
    await keep(s.project.id, 'many more')
    expect(await keptOf(s.project.id)).toBe(11)
    await pruneStoreEvents(s.ctx)
    expect(await s.ctx.db.select().from(s.ctx.tables.storeRefusals)).toMatchObject([
      { projectId: s.project.id, kept: 1 },
    ])
  })
})
