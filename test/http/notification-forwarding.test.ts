import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { signEvent } from '../../src/test-store/stores/payment-events'
import { ANDROID_MONTHLY, androidStage } from '../support/android'
import { type Answer, MONTHLY, type Stage, stage } from '../support/cast'
import { deliver, notificationBody, storeEvents } from '../support/notify'
import { paymentStage } from '../support/payment'
import { staff } from '../support/staff'

const ENV = { SVC_ALLOW_PRIVATE_TARGETS: '1' }

interface Arrived {
  path: string
  headers: Headers
  bytes: Uint8Array
}

/** A receiver on loopback. */
class Receiver {
  readonly got: Arrived[] = []
  status = 200
  #server: ReturnType<typeof Bun.serve> | null = null
  #port = 0

  constructor() {
    this.start()
  }

  start(): void {
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: this.#port,
      fetch: async (request) => {
        const bytes = new Uint8Array(await request.arrayBuffer())
        this.got.push({ path: new URL(request.url).pathname, headers: request.headers, bytes })
        return new Response('noted', { status: this.status })
      },
    })
    this.#port = this.#server.port ?? 0
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.#port}${path}`
  }

  async stop(): Promise<void> {
    await this.#server?.stop(true)
  }
}

let receiver: Receiver
const opened: { close(): unknown }[] = []
beforeEach(() => {
  receiver = new Receiver()
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  await receiver.stop()
})

async function opening<Made extends Stage>(made: Promise<Made>): Promise<Made> {
  const s = await made
  opened.push(s)
  return s
}

const iosStage = () => opening(stage({ env: ENV }))

async function forward(s: Stage, store = 'IOS_STORE', url = receiver.url()): Promise<string> {
  const { status, body } = await staff(s).as('ADMIN').post('/notification-forwards', { store, url })
  expect([status, body.error]).toEqual([201, undefined])
  return body.data.id
}
const views = async (s: Stage) => (await staff(s).as('OWNER').get('/notification-forwards')).body.data.items
const send = (s: Stage) => s.ctx.state.dispatcher.runDue()
const deliveries = async (s: Stage) => {
  const { deliveries: d } = s.ctx.tables
  return s.ctx.db.select().from(d).orderBy(d.position)
}
const bodies = (s: Stage) => s.ctx.db.select().from(s.ctx.tables.forwardBodies)
const hashes = () => receiver.got.map(({ bytes }) => sha256Hex(bytes))

/** The body of a notification about a new subscription of Ada. */
const iosBody = (s: Stage, id = 'n-1') =>
  notificationBody(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(MONTHLY), { id, renewal: {} })

const post = (s: Stage, raw: string | Uint8Array, headers: Record<string, string> = {}, store = 'ios') =>
  s.app.handle(
    new Request(`http://localhost/webhooks/${store}/${s.project.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: raw,
    }),
  )

describe('a notification is sent on byte for byte', () => {
  test('of the iOS store, with its own content type and the mark', async () => {
    const s = await iosStage()
    await forward(s)
    // Spaces, a line end and escapes that no writer of JSON would write again in this way.
    const raw = ` {\r\n"signedPayload" : "${iosBody(s).signedPayload}" , "more":"\\u00e9 é 🎈" }\n`
    const type = 'application/json; charset=utf-8'
    const secrets = { authorization: 'Bearer s3cret', cookie: 'a=b', 'x-other': '1' }
    expect((await post(s, raw, { 'content-type': type, ...secrets })).status).toBe(200)
    await send(s)
    expect(hashes()).toEqual([sha256Hex(raw)])
    const [{ headers, path } = { headers: new Headers(), path: '' }] = receiver.got
    expect([path, headers.get('content-type'), headers.get('x-svc-forwarded')]).toEqual(['/hook', type, '1'])
    for (const name of Object.keys(secrets)) expect(headers.has(name)).toBe(false)
  })

  test('of the iOS store without a content type', async () => {
    const s = await iosStage()
    await forward(s)
    const body = new Blob([JSON.stringify(iosBody(s))])
    const request = new Request(`http://localhost/webhooks/ios/${s.project.id}`, { method: 'POST', body })
    request.headers.delete('content-type')
    expect((await s.app.handle(request)).status).toBe(200)
    await send(s)
    expect(receiver.got.map(({ headers }) => headers.get('content-type'))).toEqual([null])
  })

  test('of the Android store, without the token of the push', async () => {
    const s = await opening(androidStage({ env: ENV }))
    await forward(s, 'ANDROID_STORE')
    s.server.store.subscribe(ANDROID_MONTHLY)
    const [push] = await s.pushes()
    if (!push) throw new Error('no push waits')
    expect(push.authorization).toStartWith('Bearer ')
    expect((await s.deliver(push)).status).toBe(200)
    await send(s)
    expect(hashes()).toEqual([sha256Hex(push.body)])
    expect(receiver.got[0]?.headers.has('authorization')).toBe(false)
    expect(receiver.got[0]?.headers.get('x-svc-forwarded')).toBe('1')
  })

  test('of the payment provider', async () => {
    const s = await opening(paymentStage({ env: ENV }))
    await forward(s, 'PAYMENT')
    subscribe(s.world, { priceId: 'price_monthly', metadata: {} })
    const waiting = await s.deliveries()
    for (const delivery of waiting) expect((await s.deliver(delivery)).status).toBe(200)
    await send(s)
    expect(hashes().toSorted()).toEqual(waiting.map(({ body }) => sha256Hex(body)).toSorted())
    expect(receiver.got.every(({ headers }) => !headers.has('stripe-signature'))).toBe(true)
  })

  test('of a connected account, by every project that forwards', async () => {
    const s = await opening(paymentStage({ env: ENV, account: 'acct_1' }))
    await forward(s, 'PAYMENT')
    subscribe(s.world, { priceId: 'price_monthly', metadata: {} })
    const waiting = await s.deliveries()
    expect(s.path).toBe('/webhooks/payment/connect')
    for (const delivery of waiting) expect((await s.deliver(delivery)).status).toBe(200)
    await send(s)
    expect(hashes().toSorted()).toEqual(waiting.map(({ body }) => sha256Hex(body)).toSorted())
  })

  test('to every address of its store, and to none of another store', async () => {
    const s = await iosStage()
    for (const path of ['/1', '/2', '/3']) await forward(s, 'IOS_STORE', receiver.url(path))
    const { storeSettings: t } = s.ctx.tables
    await s.ctx.db
      .insert(t)
      .values({ projectId: s.project.id, section: 'android', config: {}, createdAt: 1, updatedAt: 1 })
    await forward(s, 'ANDROID_STORE', receiver.url('/android'))
    await deliver(s, iosBody(s))
    expect(await bodies(s)).toHaveLength(1)
    await send(s)
    expect(receiver.got.map(({ path }) => path).toSorted()).toEqual(['/1', '/2', '/3'])
    expect(new Set(hashes()).size).toBe(1)
    expect(await bodies(s)).toEqual([])
  })

  test('by an address that an earlier version has saved', async () => {
    const s = await iosStage()
    const { storeSettings: t } = s.ctx.tables
    const config = { bundleId: 'com.example.sleep', notificationForwards: [receiver.url()] }
    await s.ctx.write((tx) => tx.db.update(t).set({ config }))
    s.ctx.state.projects.forget(s.project.id)
    await deliver(s, iosBody(s))
    await send(s)
    expect(receiver.got).toHaveLength(1)
    expect((await views(s))[0]).toMatchObject({ url: receiver.url(), lastStatus: 200 })
  })
})

describe('a notification is not sent on', () => {
  /** Nothing was queued, and nothing is sent. */
  async function nothing(s: Stage): Promise<void> {
    expect(await deliveries(s)).toEqual([])
    expect(await bodies(s)).toEqual([])
    await send(s)
    expect(receiver.got).toEqual([])
  }

  test('that another deployment has sent on; it is processed', async () => {
    const s = await iosStage()
    await forward(s)
    const answer = await post(s, JSON.stringify(iosBody(s)), { 'x-svc-forwarded': '1' })
    expect([answer.status, (await storeEvents(s))[0]?.status]).toEqual([200, 'PROCESSED'])
    await nothing(s)
  })

  test('twice, when the store sends it again', async () => {
    const s = await iosStage()
    await forward(s)
    const body = iosBody(s)
    expect((await deliver(s, body)).body.data.duplicate).toBe(false)
    expect((await deliver(s, body)).body.data.duplicate).toBe(true)
    await send(s)
    expect((await deliver(s, body)).body.data.duplicate).toBe(true)
    await send(s)
    expect(receiver.got).toHaveLength(1)
    expect(await deliveries(s)).toHaveLength(1)
  })

  test('twice, when it arrives twice at the same time', async () => {
    const s = await iosStage()
    await forward(s)
    const body = iosBody(s)
    const statuses = (await Promise.all([1, 2, 3].map(() => deliver(s, body)))).map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(await deliveries(s)).toHaveLength(1)
  })

  test('twice, when its processing fails and the store sends it again', async () => {
    const s = await opening(androidStage({ env: ENV }))
    await forward(s, 'ANDROID_STORE')
    s.server.store.subscribe(ANDROID_MONTHLY)
    const [push] = await s.pushes()
    if (!push) throw new Error('no push waits')
    s.server.faults = { status: 503 }
    expect((await s.deliver(push)).status).toBe(503)
    s.server.faults = {}
    s.ctx.clock.advance(2 * MINUTE)
    expect((await s.deliver(push)).status).toBe(200)
    await send(s)
    expect(receiver.got).toHaveLength(1)
  })

  const REFUSED: [name: string, raw: (s: Stage) => string, status: number][] = [
    ['whose signature is wrong', (s) => JSON.stringify({ signedPayload: `${iosBody(s).signedPayload}x` }), 401],
    [
      'for another app',
      (s) =>
        JSON.stringify(notificationBody(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(MONTHLY), { bundleId: 'com.other' })),
      401,
    ],
    ['that is no JSON', () => '{', 400],
    ['without a payload', () => '{}', 400],
  ]
  for (const [name, raw, status] of REFUSED)
    test(name, async () => {
      const s = await iosStage()
      await forward(s)
      expect((await post(s, raw(s))).status).toBe(status)
      await nothing(s)
    })

  test('that is packed, because it is refused', async () => {
    const s = await iosStage()
    await forward(s)
    const packed = gzipSync(JSON.stringify(iosBody(s)))
    expect((await post(s, packed, { 'content-encoding': 'gzip' })).status).toBe(400)
    await nothing(s)
  })

  test('of the provider with a wrong signature', async () => {
    const s = await opening(paymentStage({ env: ENV }))
    await forward(s, 'PAYMENT')
    subscribe(s.world, { priceId: 'price_monthly', metadata: {} })
    const event = s.world.events[0]
    if (!event) throw new Error('there is no event')
    const forged = await signEvent(event, { secret: 'whsec_other', now: s.ctx.clock.now() })
    expect((await s.deliver(forged)).status).toBe(401)
    await nothing(s)
  })

  const pushOfAge = async (ageMs: number) => {
    const s = await opening(androidStage({ env: ENV }))
    await forward(s, 'ANDROID_STORE')
    s.server.store.subscribe(ANDROID_MONTHLY)
    const [push] = await s.pushes()
    if (!push) throw new Error('no push waits')
    s.ctx.clock.advance(ageMs)
    const authorization = `Bearer ${await s.server.pushToken(s.identity)}`
    expect((await s.deliver({ ...push, authorization })).status).toBe(200)
    return s
  }

  test('of Google that is older than 7 days; it is processed', async () => {
    const s = await pushOfAge(7 * DAY + SECOND)
    expect((await storeEvents(s))[0]?.status).not.toBe('FAILED')
    await nothing(s)
  })

  test('by a store without forwards, nor after its forward was deleted', async () => {
    const s = await iosStage()
    await deliver(s, iosBody(s))
    await nothing(s)
    const id = await forward(s)
    await staff(s).as('ADMIN').delete(`/notification-forwards/${id}`)
    await deliver(s, iosBody(s, 'n-2'))
    await nothing(s)
  })

  test('of Google exactly 7 days old is still sent on', async () => {
    const s = await pushOfAge(7 * DAY)
    await send(s)
    expect(receiver.got).toHaveLength(1)
  })
})

describe('a notification that was not sent on at first is sent on', () => {
  test('when it was refused for a setting, and the store sends it again', async () => {
    const s = await iosStage()
    await forward(s)
    const { storeSettings: t } = s.ctx.tables
    const settle = async (bundleId: string) => {
      await s.ctx.write((tx) => tx.db.update(t).set({ config: { bundleId } }))
      s.ctx.state.projects.forget(s.project.id)
    }
    const body = iosBody(s)
    await settle('com.example.wrong')
    expect((await deliver(s, body)).status).toBe(401)
    expect([(await storeEvents(s)).length, (await deliveries(s)).length]).toEqual([1, 0])
    await settle('com.example.sleep')
    expect((await deliver(s, body)).status).toBe(200)
    expect(await deliveries(s)).toHaveLength(1)
    await deliver(s, body)
    expect(await deliveries(s)).toHaveLength(1)
  })

  test('when it came from another deployment first, and then from the store', async () => {
    const s = await iosStage()
    await forward(s)
    const raw = JSON.stringify(iosBody(s))
    await post(s, raw, { 'x-svc-forwarded': '1' })
    expect(await (await post(s, raw)).json()).toEqual({ data: { received: true, duplicate: true } })
    expect(await deliveries(s)).toHaveLength(1)
    await post(s, raw)
    expect(await deliveries(s)).toHaveLength(1)
  })
})

describe('the answer to the store', () => {
  const received = { data: { received: true, duplicate: false } }

  test('is the same whether the receiver is down, refuses, or is slow', async () => {
    const s = await iosStage()
    await forward(s)
    await receiver.stop()
    const answers: Answer[] = [await deliver(s, iosBody(s))]
    receiver.start()
    for (const status of [500, 410, 401]) {
      receiver.status = status
      answers.push(await deliver(s, iosBody(s, `n-${status}`)))
      await send(s)
    }
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, received]))
  })
})

describe('a receiver', () => {
  test('that is down gets it by the schedule of webhooks, and the body is kept until then', async () => {
    const s = await iosStage()
    await forward(s)
    await receiver.stop()
    await deliver(s, iosBody(s))
    await send(s)
    expect((await deliveries(s)).map(({ status, attempts }) => [status, attempts])).toEqual([['FAILED', 1]])
    expect((await views(s))[0]).toMatchObject({ lastStatus: null, lastAt: '2026-11-20T08:00:00.000Z', failures24h: 1 })
    expect(await bodies(s)).toHaveLength(1)
    receiver.start()
    s.ctx.clock.advance(4 * SECOND)
    await send(s)
    expect(receiver.got).toEqual([])
    s.ctx.clock.advance(2 * SECOND)
    await send(s)
    expect(receiver.got).toHaveLength(1)
    expect((await deliveries(s)).map(({ status, attempts }) => [status, attempts])).toEqual([['SUCCEEDED', 2]])
    expect((await views(s))[0]).toMatchObject({ lastStatus: 200, lastAt: '2026-11-20T08:00:06.000Z', failures24h: 1 })
    expect(await bodies(s)).toEqual([])
  })

  test('gets the same bytes in every attempt, and none after the tenth', async () => {
    const s = await iosStage()
    await forward(s)
    receiver.status = 500
    await deliver(s, iosBody(s))
    for (let attempt = 0; attempt < 14; attempt++) {
      await send(s)
      s.ctx.clock.advance(27 * HOUR)
    }
    expect(receiver.got).toHaveLength(10)
    expect(new Set(hashes()).size).toBe(1)
    expect((await deliveries(s)).map(({ status }) => status)).toEqual(['DEAD'])
    expect(await bodies(s)).toEqual([])
    expect((await views(s))[0]).toMatchObject({ lastStatus: 500 })
  })

  test('that answers 410 ends that delivery; the forward stays, and the next one is tried', async () => {
    const s = await iosStage()
    await forward(s)
    receiver.status = 410
    await deliver(s, iosBody(s))
    await send(s)
    expect((await deliveries(s)).map(({ status }) => status)).toEqual(['DEAD'])
    expect(await bodies(s)).toEqual([])
    expect(await views(s)).toMatchObject([{ url: receiver.url(), lastStatus: 410 }])
    receiver.status = 200
    await deliver(s, iosBody(s, 'n-2'))
    await send(s)
    expect((await deliveries(s)).map(({ status }) => status)).toEqual(['DEAD', 'SUCCEEDED'])
    expect(await views(s)).toMatchObject([{ lastStatus: 200 }])
  })

  test('that redirects is not followed', async () => {
    const s = await iosStage()
    await forward(s)
    receiver.status = 307
    await deliver(s, iosBody(s))
    await send(s)
    expect(receiver.got).toHaveLength(1)
    expect((await deliveries(s))[0]).toMatchObject({ status: 'FAILED', lastStatusCode: 307 })
  })

  test('that is down does not keep the body from another one, nor lose it with that one', async () => {
    const s = await iosStage()
    const other = new Receiver()
    await forward(s, 'IOS_STORE', receiver.url())
    await forward(s, 'IOS_STORE', other.url())
    await other.stop()
    await deliver(s, iosBody(s))
    await send(s)
    expect(receiver.got).toHaveLength(1)
    expect(await bodies(s)).toMatchObject([{ open: 1 }])
    other.start()
    s.ctx.clock.advance(6 * SECOND)
    await send(s)
    expect([other.got.length, receiver.got.length]).toEqual([1, 1])
    expect(sha256Hex(other.got[0]?.bytes ?? '')).toBe(hashes()[0] ?? '')
    expect(await bodies(s)).toEqual([])
    await other.stop()
  })

  test('that is deleted gets nothing more, and its bodies go', async () => {
    const s = await iosStage()
    const id = await forward(s)
    receiver.status = 500
    await deliver(s, iosBody(s))
    await send(s)
    expect((await staff(s).as('ADMIN').delete(`/notification-forwards/${id}`)).status).toBe(200)
    expect((await deliveries(s)).map(({ status, lastError }) => [status, lastError])).toEqual([['DEAD', 'deleted']])
    expect(await bodies(s)).toEqual([])
    s.ctx.clock.advance(DAY)
    await send(s)
    expect(receiver.got).toHaveLength(1)
  })

  test('at an address that may not be called is not called, and the log says why', async () => {
    const s = await iosStage()
    const { storeSettings: t } = s.ctx.tables
    const config = { bundleId: 'com.example.sleep', notificationForwards: ['https://10.0.0.1/hook'] }
    await s.ctx.write((tx) => tx.db.update(t).set({ config }))
    s.ctx.state.projects.forget(s.project.id)
    await deliver(s, iosBody(s))
    await send(s)
    const [row] = await deliveries(s)
    expect([row?.status, row?.lastError, row?.lastStatusCode]).toEqual(['FAILED', 'private_address', null])
  })

  test('of a project that is deleted gets nothing more', async () => {
    const s = await iosStage()
    await forward(s)
    await deliver(s, iosBody(s))
    expect((await staff(s).as('OWNER').delete('')).status).toBe(200)
    await send(s)
    expect(receiver.got).toEqual([])
    expect((await deliveries(s)).map(({ status }) => status)).toEqual(['DEAD'])
    expect(await bodies(s)).toEqual([])
  })

  test('that a project file takes away gets nothing more', async () => {
    const s = await iosStage()
    await forward(s)
    await deliver(s, iosBody(s))
    const file = 'version: 1\nstores:\n  ios: { bundleId: com.example.sleep }\n'
    expect((await staff(s).as('OWNER').post('/project-file/apply', { file })).status).toBe(200)
    await send(s)
    expect(receiver.got).toEqual([])
    expect(await bodies(s)).toEqual([])
  })
})

describe('two deployments that forward to each other', () => {
  test('process a notification once each, and send it on once', async () => {
    const one = await iosStage()
    const two = await iosStage()
    const serve = (s: Stage) => {
      const arrived: string[] = []
      const server = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        async fetch(request) {
          arrived.push(request.headers.get('x-svc-forwarded') ?? 'none')
          return s.app.handle(request)
        },
      })
      opened.push({ close: () => server.stop(true) })
      return { arrived, url: `${server.url.origin}/webhooks/ios/${s.project.id}` }
    }
    const [toOne, toTwo] = [serve(one), serve(two)]
    await forward(one, 'IOS_STORE', toTwo.url)
    await forward(two, 'IOS_STORE', toOne.url)
    await deliver(one, iosBody(one))
    for (let round = 0; round < 3; round++) for (const s of [one, two]) await send(s)
    expect([toOne.arrived, toTwo.arrived]).toEqual([[], ['1']])
    for (const s of [one, two]) expect((await storeEvents(s)).map(({ status }) => status)).toEqual(['PROCESSED'])
    expect([(await deliveries(one)).map(({ status }) => status), await deliveries(two)]).toEqual([['SUCCEEDED'], []])
  })
})
