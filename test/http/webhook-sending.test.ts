import { afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { recordEvents } from '../../src/people/events/service'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { join as joinProject } from '../support/crew'
import { blocksOf } from '../support/doc-blocks'
import { erase } from '../support/erased'
import { auditRows, dataOf, refused } from '../support/operator'
import { writeEvents } from '../support/probe-kind'
import { type Received, type Receiver, startReceiver } from '../support/receiver'
import { type StaffCalls, staff } from '../support/staff'

const ROOT = join(import.meta.dir, '../..')
const PATH = '/webhook-endpoints'

let s: Stage
let dev: StaffCalls
let receiver: Receiver
beforeEach(async () => {
  receiver = startReceiver()
  s = await stage({ env: { SVC_ALLOW_PRIVATE_TARGETS: '1' } })
  dev = staff(s).as('DEVELOPER')
})
afterEach(async () => {
  await s.close()
  await receiver.close()
})

let count = 0
const made = (more: Record<string, unknown> = {}) =>
  dataOf(dev.post(PATH, { name: `hook ${++count}`, url: `${receiver.url}/hooks`, eventTypes: ['*'], ...more }))
const patch = (id: string, change: Record<string, unknown>) => dataOf(dev.patch(`${PATH}/${id}`, change))
const view = (id: string) => dataOf(dev.get(`${PATH}/${id}`))
const run = () => s.ctx.state.dispatcher.runDue()
const deliveries = () => s.ctx.db.select().from(s.ctx.tables.deliveries).orderBy(s.ctx.tables.deliveries.position)
const statuses = async () => (await deliveries()).map(({ status, lastError }) => [status, lastError])
const types = () => receiver.received.map(({ body }) => JSON.parse(body).type)

async function person(device: string): Promise<string> {
  return (await s.get('/v1/me', device)).body.data.subscriber.id
}
const happen = async (subscriberId: string, times = 1) =>
  writeEvents(s.ctx, { id: subscriberId, projectId: s.project.id }, times)

/** Verifies as a receiver does that has one of the two libraries. They compare with the time of the machine. */
function verify(secret: string, { body, headers }: Received): void {
  setSystemTime(new Date(s.ctx.clock.now()))
  try {
    expect(new StandardWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    new SvixWebhook(secret).verify(body, headers) // Throws for a wrong signature, and returns nothing.
  } finally {
    setSystemTime()
  }
}

/** Neither library takes it. */
function refuse(secret: string, { body, headers }: Received): void {
  setSystemTime(new Date(s.ctx.clock.now()))
  try {
    for (const library of [StandardWebhook, SvixWebhook])
      expect(() => new library(secret).verify(body, headers)).toThrow('No matching signature')
  } finally {
    setSystemTime()
  }
}

const last = (): Received => receiver.received.at(-1) ?? { path: '', headers: {}, body: '' }

describe('what a receiver gets', () => {
  test('a purchase arrives signed, and both libraries verify it', async () => {
    const { secret } = await made({ eventTypes: ['purchase.*'] })
    expect((await s.receipt('svc_ada', s.buy(MONTHLY))).status).toBe(200)
    await run()
    expect(receiver.received).toHaveLength(1)
    verify(secret, last())
    const { headers, body, path } = last()
    const event = JSON.parse(body)
    expect(path).toBe('/hooks')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'svc-webhooks/1',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(s.ctx.clock.now() / 1000)),
    })
    expect(headers).not.toHaveProperty('authorization')
    const [saved] = (await s.events(await person('svc_ada'))).filter(({ type }) => type === event.type)
    const { data, timestamp, ...rest } = event
    expect(rest).toEqual({
      ...{ id: expect.stringMatching(/^evt_/), type: saved?.type, seq: saved?.seq },
      ...{ projectId: s.project.id, subscriberId: await person('svc_ada') },
    })
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(data).toMatchObject({ environment: saved?.environment, cause: { kind: 'RECEIPT' }, after: saved?.after })
    expect(await statuses()).toEqual([['SUCCEEDED', null]])
  })

  test('each attempt has its own time and signature; id and body stay', async () => {
    const { secret } = await made()
    receiver.respond = () => new Response('later', { status: 500 })
    await happen(await person('ada'))
    await run()
    verify(secret, last())
    s.ctx.clock.advance(MINUTE)
    receiver.respond = () => new Response()
    await run()
    verify(secret, last())
    const [first, second] = receiver.received
    expect(receiver.received).toHaveLength(2)
    expect(second?.body).toBe(first?.body ?? '')
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'] ?? '')
    expect(Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp'])).toBe(60)
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature'] ?? '')
  })

  test('after a rotation both secrets sign for 24 hours, and then the new one alone', async () => {
    const { id, secret } = await made()
    const ada = await person('ada')
    s.ctx.clock.advance(HOUR)
    const rotated = await dataOf(dev.post(`${PATH}/${id}/rotate-secret`))
    s.ctx.clock.advance(DAY - 1)
    await happen(ada)
    await run()
    expect(last().headers['webhook-signature']?.split(' ')).toHaveLength(2)
    verify(secret, last())
    verify(rotated.secret, last())
    s.ctx.clock.advance(1)
    await happen(ada)
    await run()
    expect(last().headers['webhook-signature']?.split(' ')).toHaveLength(1)
    verify(rotated.secret, last())
    refuse(secret, last())
  })

  test('a second rotation ends the first secret at once', async () => {
    const { id, secret } = await made()
    const second = await dataOf(dev.post(`${PATH}/${id}/rotate-secret`))
    const third = await dataOf(dev.post(`${PATH}/${id}/rotate-secret`))
    await happen(await person('ada'))
    await run()
    for (const present of [second.secret, third.secret]) verify(present, last())
    refuse(secret, last())
  })

  test('nothing is sent unsigned: while the secret cannot be opened the event waits', async () => {
    const { id, secret } = await made()
    const { webhookEndpoints: w } = s.ctx.tables
    const [row] = await s.ctx.db.select().from(w)
    const setSealed = (sealedSecret: string) => s.ctx.write((tx) => tx.db.update(w).set({ sealedSecret }))
    await setSealed('v1.00000000.AAAA.AAAA.AAAA')
    await happen(await person('ada'))
    await run()
    expect(receiver.received).toEqual([])
    expect(await statuses()).toEqual([['FAILED', 'secret_unreadable']])
    await setSealed(row?.sealedSecret ?? '')
    s.ctx.clock.advance(MINUTE)
    await run()
    expect(receiver.received).toHaveLength(1)
    verify(secret, last())
    expect((await view(id)).successRate24h).toBe(0.5)
  })

  test('a body over the hard limit loses before, and one that is too long by itself ends without a call', async () => {
    const { secret } = await made()
    const [id, projectId] = [await person('ada'), s.project.id]
    const text = 'x'.repeat(256 * 1024)
    const image = { access: {}, balances: {} }
    const record = (before: object, data: object) => {
      const change = {
        subject: { id, projectId, appUserId: null },
        cause: { kind: 'API' as const, ref: null, store: null, detail: null },
        before: { ...image, ...before },
        after: image,
      }
      const draft = { type: 'purchase.renewed', occurredAt: s.ctx.clock.now(), environment: 'PRODUCTION' as const }
      return s.ctx.write((tx) => recordEvents(tx, change, [{ ...draft, data: { ...data } }]))
    }
    await record({ text }, { late: false })
    await run()
    expect(receiver.received).toHaveLength(1)
    verify(secret, last())
    expect(JSON.parse(last().body).data).toMatchObject({ before: null, after: image, truncated: ['before'] })
    await record({}, { text })
    await happen(id)
    await run()
    expect(receiver.received).toHaveLength(2)
    expect(await statuses()).toEqual([
      ['SUCCEEDED', null],
      ['DEAD', 'not_sendable'],
      ['SUCCEEDED', null],
    ])
  })
})

test('the receiver of the guide takes what is sent, and refuses what was changed on the way', async () => {
  const folder = mkdtempSync(join(ROOT, 'test/.guide-'))
  try {
    const block = blocksOf('ts').find(({ where }) => where.includes('webhooks.md'))
    writeFileSync(join(folder, 'receive.ts'), block?.text ?? '')
    const { receive } = await import(join(folder, 'receive.ts'))
    const { secret } = await made()
    await happen(await person('ada'))
    await run()
    const { headers, body } = last()
    const seen: { type: string }[] = []
    const ask = async (text: string): Promise<number> => {
      setSystemTime(new Date(s.ctx.clock.now()))
      const request = new Request('http://localhost/', { method: 'POST', headers, body: text })
      const handle = async (event: { type: string }) => void seen.push(event)
      return (await receive(request, secret, handle).finally(() => setSystemTime())).status
    }
    expect([await ask(body), await ask(body.replace('PRODUCTION', 'SANDBOX'))]).toEqual([200, 401])
    expect(seen).toEqual([JSON.parse(body)])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe('which events an endpoint gets', () => {
  test('those of its types and environments, and none of another project', async () => {
    await made({ eventTypes: ['entitlement.*'] })
    await made({ environments: ['SANDBOX'], url: `${receiver.url}/sandbox` })
    expect((await s.receipt('svc_ada', s.buy(MONTHLY))).status).toBe(200)
    await s.receipt('svc_bo', s.buy(MONTHLY), { key: s.other.publicKey })
    await run()
    const saved = await s.events(await person('svc_ada'))
    const of = (path: string) =>
      receiver.received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body).seq)
    const sandbox = saved.filter(({ environment }) => environment === 'SANDBOX')
    const granted = saved.filter(({ type }) => type.startsWith('entitlement.'))
    expect(granted.length).toBeGreaterThan(0)
    expect(of('/hooks')).toEqual(granted.map(({ seq }) => seq))
    expect(of('/sandbox').sort()).toEqual(sandbox.map(({ seq }) => seq).sort())
  })

  test('none of before it was made, none of while it was off, and those of after it is on again', async () => {
    const ada = await person('ada')
    await happen(ada)
    const { id } = await made()
    s.ctx.clock.advance(MINUTE)
    await patch(id, { isEnabled: false })
    await happen(ada)
    await run()
    s.ctx.clock.advance(MINUTE)
    await patch(id, { isEnabled: true })
    await run()
    expect(receiver.received).toEqual([])
    await happen(ada)
    await run()
    expect(receiver.received.map(({ body }) => JSON.parse(body).seq)).toEqual([3])
  })

  test('what waits for it ends as DEAD when it is switched off or deleted', async () => {
    const [first, second] = [await made(), await made()]
    receiver.respond = () => new Response('no', { status: 503 })
    await happen(await person('ada'))
    await run()
    await patch(first.id, { isEnabled: false })
    await dataOf(dev.delete(`${PATH}/${second.id}`))
    expect((await statuses()).sort()).toEqual([
      ['DEAD', 'deleted'],
      ['DEAD', 'disabled'],
    ])
    receiver.received.length = 0
    s.ctx.clock.advance(DAY)
    await run()
    expect(receiver.received).toEqual([])
  })

  /** Switches an endpoint off, or deletes it, while its receiver is being called; then the receiver answers. */
  async function closedMeanwhile(
    status: number,
    close: (id: string) => Promise<unknown>,
    next?: () => Promise<unknown>,
  ) {
    const { id } = await made()
    const [arrived, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    receiver.respond = async () => {
      arrived.resolve()
      await answered.promise
      return new Response('the answer', { status })
    }
    await happen(await person('ada'))
    const running = run()
    await arrived.promise
    await close(id)
    await next?.()
    answered.resolve()
    await running
    receiver.received.length = 0
    s.ctx.clock.advance(DAY)
    await run()
    expect(receiver.received).toEqual([])
    return { id, row: (await deliveries())[0] }
  }

  const off = (id: string) => patch(id, { isEnabled: false })

  test.each([
    ['switched off', off, 'disabled'],
    ['deleted', (id: string) => dataOf(dev.delete(`${PATH}/${id}`)), 'deleted'],
  ] as const)(
    'what is under way when it is %s is not tried again, and its row says what came of it',
    async (...one) => {
      const [, close, lastError] = one
      const failed = await closedMeanwhile(500, close)
      expect(failed.row).toMatchObject({ status: 'DEAD', lastError, lastStatusCode: 500, attempts: 1, leaseId: null })
      expect(failed.row?.log).toMatchObject([{ statusCode: 500, responseSnippet: 'the answer' }])
    },
  )

  test('what its receiver took although it was switched off meanwhile has succeeded', async () => {
    const { row } = await closedMeanwhile(200, off)
    expect(row).toMatchObject({ status: 'SUCCEEDED', lastError: null, lastStatusCode: 200, attempts: 1, leaseId: null })
  })

  test('what is under way when it is switched off and on again is not tried again either', async () => {
    const { row } = await closedMeanwhile(500, async (id) => {
      await off(id)
      await patch(id, { isEnabled: true })
    })
    expect(row).toMatchObject({ status: 'DEAD', lastError: 'disabled', lastStatusCode: 500 })
  })

  test('the answer about a person who was erased meanwhile is not kept', async () => {
    const { row } = await closedMeanwhile(500, off, async () => {
      await erase(s, await person('ada'))
    })
    expect(row).toMatchObject({ status: 'DEAD', log: [], lastStatusCode: null })
  })

  test('an ordered endpoint gets a subscriber in seq order, behind a failure too; another does not wait', async () => {
    await made({ ordered: true, url: `${receiver.url}/ordered` })
    await made({ url: `${receiver.url}/free` })
    const [ada, bo] = [await person('ada'), await person('bo')]
    let isDown = true
    receiver.respond = ({ body }) =>
      new Response('', { status: isDown && JSON.parse(body).subscriberId === ada ? 500 : 200 })
    await happen(ada, 3)
    await happen(bo, 2)
    await run()
    const seqs = (path: string, who: string) =>
      receiver.received
        .filter((one) => one.path === path)
        .map(({ body }) => JSON.parse(body))
        .filter(({ subscriberId }) => subscriberId === who)
        .map(({ seq }) => seq)
    expect([seqs('/ordered', ada), seqs('/ordered', bo)]).toEqual([[1], [1, 2]])
    expect(seqs('/free', ada).sort()).toEqual([1, 2, 3])
    isDown = false
    s.ctx.clock.advance(HOUR)
    await run()
    expect(seqs('/ordered', ada)).toEqual([1, 1, 2, 3])
  })

  test('without order what waited goes out at once', async () => {
    const { id } = await made({ ordered: true })
    receiver.respond = () => new Response('', { status: 500 })
    await happen(await person('ada'), 3)
    await run()
    receiver.respond = () => new Response()
    await patch(id, { ordered: false })
    await run()
    expect(new Set(receiver.received.map(({ body }) => JSON.parse(body).seq))).toEqual(new Set([1, 2, 3]))
  })
})

describe('the other format', () => {
  const AUTHORIZATION = 'Bearer vendor-4711'

  test('sends the body of that vendor with its Authorization, and signs it too', async () => {
    const { id, secret } = await made({ format: 'revenuecat', authorization: AUTHORIZATION })
    expect((await s.receipt('svc_ada', s.buy(MONTHLY))).status).toBe(200)
    await run()
    const { event, api_version: version } = JSON.parse(last().body)
    expect([version, event.type, receiver.received.length]).toEqual(['1.0', 'INITIAL_PURCHASE', 1])
    expect(last().headers).toMatchObject({ authorization: AUTHORIZATION, 'content-type': 'application/json' })
    verify(secret, last())
    await patch(id, { authorization: null })
    expect(await dataOf(dev.post(`${PATH}/${id}/test`))).toMatchObject({ status: 'SUCCEEDED', isTest: true })
    expect(JSON.parse(last().body).event.type).toBe('TEST')
    expect(last().headers).not.toHaveProperty('authorization')
  })

  test('makes no delivery of an event without an equivalent', async () => {
    await made({ format: 'revenuecat', eventTypes: ['entitlement.*'] })
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await run()
    expect(receiver.received).toEqual([])
    expect(await deliveries()).toEqual([])
  })

  test('the standard format sends no Authorization', async () => {
    await made({ authorization: AUTHORIZATION })
    await happen(await person('ada'))
    await run()
    expect(last().headers).not.toHaveProperty('authorization')
  })
})

describe('a test send', () => {
  test('makes one signed attempt, answers with its delivery, and is no event', async () => {
    const { id, secret } = await made({ eventTypes: ['import.committed'] })
    const answer = await dataOf(dev.post(`${PATH}/${id}/test`))
    expect(answer).toMatchObject({
      endpointId: id,
      type: 'webhook.test',
      status: 'SUCCEEDED',
      attempts: 1,
      isTest: true,
      lastStatusCode: 200,
      seq: null,
      subscriberId: null,
      nextAttemptAt: null,
    })
    expect(types()).toEqual(['webhook.test'])
    verify(secret, last())
    const body = JSON.parse(last().body)
    expect(body).toMatchObject({ id: answer.eventId, projectId: s.project.id, seq: null, subscriberId: null })
    expect(body.data.message).toBeString()
    expect(body.data.cause.kind).toBe('DASHBOARD')
    expect(await s.ctx.db.select().from(s.ctx.tables.events).orderBy(s.ctx.tables.events.position)).toEqual([])
  })

  test('is made by who asked for it, also while another process sends what is due', async () => {
    const { id } = await made()
    const { dispatcher } = s.ctx.state
    const attemptNow = dispatcher.attemptNow.bind(dispatcher)
    const arrived = Promise.withResolvers<void>()
    receiver.respond = () => {
      arrived.resolve()
      return new Response('ok')
    }
    dispatcher.attemptNow = async (claimed) => {
      await Promise.race([run(), arrived.promise])
      await attemptNow(claimed)
    }
    expect(await dataOf(dev.post(`${PATH}/${id}/test`))).toMatchObject({ status: 'SUCCEEDED', isTest: true })
    expect(receiver.received).toHaveLength(1)
  })

  test('that fails is not tried again, and says why', async () => {
    const { id } = await made()
    receiver.respond = () => new Response('broken', { status: 500 })
    expect(await dataOf(dev.post(`${PATH}/${id}/test`))).toMatchObject({ status: 'DEAD', lastStatusCode: 500 })
    await receiver.close()
    const answer = await dataOf(dev.post(`${PATH}/${id}/test`))
    expect(answer).toMatchObject({ status: 'DEAD', lastStatusCode: null, lastError: 'unreachable' })
    s.ctx.clock.advance(DAY)
    await run()
    expect(receiver.received).toHaveLength(1)
  })

  test('that is answered with 410 does not switch the endpoint off', async () => {
    const { id } = await made()
    receiver.respond = () => new Response('', { status: 410 })
    expect(await dataOf(dev.post(`${PATH}/${id}/test`))).toMatchObject({ status: 'DEAD', lastStatusCode: 410 })
    expect(await view(id)).toMatchObject({ isEnabled: true, disabledReason: null })
  })

  test('of an endpoint that is off is refused, and calls nobody', async () => {
    const { id } = await made({ isEnabled: false })
    await refused(s, () => dev.post(`${PATH}/${id}/test`), 409, 'CONFLICT')
    expect([receiver.received, await deliveries()]).toEqual([[], []])
  })

  test('is limited to 20 a minute', async () => {
    const { id } = await made()
    for (let sent = 0; sent < 20; sent++) await dataOf(dev.post(`${PATH}/${id}/test`))
    await refused(s, () => dev.post(`${PATH}/${id}/test`), 429, 'RATE_LIMITED')
    expect(receiver.received).toHaveLength(20)
  })
})

describe('switched off by the server', () => {
  const notices = () => s.ctx.db.select().from(s.ctx.tables.notices)
  const lastAudit = async () => (await auditRows(s)).at(-1)

  test('after 410, with one audit row of the server and without mail; switched on it is well again', async () => {
    const { id } = await made()
    receiver.respond = () => new Response('', { status: 410 })
    await happen(await person('ada'))
    await run()
    expect(await view(id)).toMatchObject({ isEnabled: false, disabledReason: 'GONE', revision: 2 })
    expect(await lastAudit()).toMatchObject({
      action: 'webhookEndpoint.disable',
      actor: { kind: 'SERVER', id: null, email: null },
      target: { type: 'webhookEndpoint', id },
      before: { isEnabled: true, disabledReason: null },
      after: { isEnabled: false, disabledReason: 'GONE' },
    })
    expect(await notices()).toEqual([])
    await patch(id, { name: 'Renamed' })
    expect(await view(id)).toMatchObject({ isEnabled: false, disabledReason: 'GONE' })
    await patch(id, { isEnabled: true })
    expect(await view(id)).toMatchObject({ isEnabled: true, disabledReason: null })
    receiver.respond = () => new Response()
    receiver.received.length = 0
    await happen(await person('ada'))
    await run()
    expect(receiver.received).toHaveLength(1)
  })

  test('after five days without success and fifty dead deliveries', async () => {
    const { id } = await made()
    const ada = await person('ada')
    s.ctx.clock.advance(5 * DAY)
    const { id: projectId } = s.project
    const text = 'x'.repeat(256 * 1024)
    const image = { access: {}, balances: {} }
    const cause = { kind: 'API' as const, ref: null, store: null, detail: null }
    const drafts = Array.from({ length: 49 }, () => ({
      type: 'purchase.renewed',
      occurredAt: s.ctx.clock.now(),
      environment: 'PRODUCTION' as const,
      data: { text },
    }))
    const record = (some: typeof drafts) =>
      s.ctx.write((tx) =>
        recordEvents(
          tx,
          { subject: { id: ada, projectId, appUserId: null }, cause, before: image, after: image },
          some,
        ),
      )
    await record(drafts)
    await run()
    expect(await view(id)).toMatchObject({ isEnabled: true, disabledReason: null })
    const owner = await joinProject(s, 'ada', 'OWNER')
    await joinProject(s, 'bo', 'ADMIN')
    expect(await notices()).toEqual([])
    await record(drafts.slice(0, 1))
    await run()
    expect(await view(id)).toMatchObject({ isEnabled: false, disabledReason: 'FAILING' })
    expect(await lastAudit()).toMatchObject({ actor: { kind: 'SERVER' }, after: { disabledReason: 'FAILING' } })
    expect(await notices()).toMatchObject([{ userId: owner.id, kind: 'webhook_disabled', projectId }])
    const mails = await s.ctx.db.select().from(s.ctx.tables.mails)
    expect(mails.map(({ userId, kind }) => [userId, kind])).toEqual([[owner.id, 'webhook_disabled']])
    expect(JSON.stringify([mails, await notices()])).not.toContain(receiver.url)
  })
})
