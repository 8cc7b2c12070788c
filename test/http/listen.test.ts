import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { MINUTE } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { causeOf } from '../../src/people/events/model'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { identify } from '../support/facts'
import { type Received, Receiver, type Session, startListening } from '../support/listening'
import { listen, machineEnv, type RemoteServer, runWith } from '../support/remote-command'

let s: Stage
let server: RemoteServer
let receiver: Receiver
let sessions: Session[]
beforeEach(async () => {
  s = await stage()
  server = listen(s)
  receiver = new Receiver()
  sessions = []
})
afterEach(async () => {
  await Promise.all(sessions.map((session) => session.stop().catch(() => 1)))
  await Promise.all([receiver.close(), server.close()])
  await s.close()
})

const SOURCES = [
  'the database of this machine',
  'a server with a secret key',
  'a server with a personal access token',
] as const
type Source = (typeof SOURCES)[number]

function envOf(source: Source): Record<string, string> {
  if (source === SOURCES[0]) return machineEnv(s)
  const token = source === SOURCES[1] ? s.project.secretKey : server.tokenOf('CUSTOMER_SUPPORT')
  return { SVC_URL: server.url, SVC_TOKEN: token }
}

const projectOf = (source: Source): string[] => (source === SOURCES[1] ? [] : ['--project', 'project-1'])

/** Listens, and waits until it does. */
async function begin(source: Source, ...args: string[]): Promise<Session> {
  const session = startListening(s, ['--forward-to', receiver.url, ...projectOf(source), ...args], envOf(source))
  sessions.push(session)
  await session.line('out', 'whsec_')
  return session
}

async function received(count: number): Promise<void> {
  while (receiver.got.length < count) await Bun.sleep(2)
}

/** Waits until that many attempts are printed. What is not printed yet is repeated after a stop. */
async function printed({ out }: Session, count: number): Promise<void> {
  while (out.filter((line) => /evt_|sub_/.test(line)).length < count) await Bun.sleep(2)
}

const secretOf = ({ out }: Session): string => /whsec_[\w+/=]+/.exec(out[0] ?? '')?.[0] ?? ''

function expectSigned({ headers, body }: Received, secret: string): void {
  const [id, timestamp] = [headers.get('webhook-id'), headers.get('webhook-timestamp')]
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  expect(key).toHaveLength(32)
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  expect(headers.get('webhook-signature')).toBe(`v1,${mac}`)
}

const typesOf = (got: readonly Received[]): string[] => got.map(({ body }) => JSON.parse(body).type)

describe.each(SOURCES)('svc listen over %s', (source) => {
  test('signs with the same secret at every start, and with another one in another project', async () => {
    const secrets = []
    for (let start = 0; start < 2; start++) {
      const session = await begin(source)
      secrets.push(secretOf(session))
      await session.stop()
    }
    expect(secrets[0]).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(secrets[1]).toBe(secrets[0])
    const { body } = await s.call('GET', '/v1/events/listen-secret', { key: s.other.secretKey })
    expect(body.data.secret).toMatch(/^whsec_/)
    expect(body.data.secret).not.toBe(secrets[0])
    expect((await s.call('GET', '/v1/events/listen-secret', { key: s.project.publicKey })).status).toBe(403)
  })

  test('sends what happens from now on as a webhook endpoint gets it, and prints a line for each', async () => {
    await s.receipt('svc_bo', s.buy(MONTHLY))
    const session = await begin(source)
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await identify(s, 'svc_ada', 'ada')
    await received(3)
    const { body } = await s.call('GET', '/v1/events?types=*', { key: s.project.secretKey })
    const events = body.data.items.slice(2)
    expect(receiver.ids).toEqual(events.map(({ id }: { id: string }) => id))
    for (const [index, one] of receiver.got.entries()) {
      expectSigned(one, secretOf(session))
      const { id, type, occurredAt, projectId, subscriberId, seq, ...rest } = events[index]
      const { appUserId, environment, cause, before, after, data } = rest
      expect(JSON.parse(one.body)).toEqual({
        ...{ id, type, timestamp: occurredAt, projectId, subscriberId, seq },
        data: { appUserId, environment, cause, before, after, ...data },
      })
      expect(one.path).toBe('/hooks')
      expect([one.headers.get('content-type'), one.headers.get('user-agent')]).toEqual([
        'application/json',
        'svc-webhooks/1',
      ])
      expect(one.headers.get('webhook-timestamp')).toBe(String(Math.floor(s.ctx.clock.now() / 1000)))
    }
    await printed(session, 3)
    expect(await session.stop()).toBe(0)
    expect(session.out[0]).toBe(secretOf(session))
    expect(session.out[2]).toMatch(/^08:00:00Z {2}purchase\.initial +sub_\w{26} {2}204 {2}\d+ ms$/)
    expect(session.out.at(-1)).toMatch(/^Delivered: 3\. Not delivered: 0\. To continue: --replay-from ZXZ0O\S+$/)
    expect([session.out.length, session.err]).toEqual([6, []])
  })

  test('sends only the types that are wanted', async () => {
    await begin(source, '--types', 'entitlement.*,subscriber.identified')
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await identify(s, 'svc_ada', 'ada')
    await received(2)
    expect(typesOf(receiver.got)).toEqual(['entitlement.granted', 'subscriber.identified'])
  })

  test('begins in the past at an instant, and continues from the place that it printed', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    s.ctx.clock.advance(MINUTE)
    const at = toIso(s.ctx.clock.now())
    await s.receipt('svc_bo', s.buy(MONTHLY))
    const first = await begin(source, '--replay-from', at, '--json')
    await printed(first, 2)
    expect(await first.stop()).toBe(0)
    const { delivered, failed, replayFrom } = JSON.parse(first.out.at(-1) ?? '')
    expect([delivered, failed]).toEqual([2, 0])
    await s.receipt('svc_cy', s.buy(MONTHLY))
    await begin(source, '--replay-from', replayFrom)
    await received(4)
    expect(new Set(receiver.ids).size).toBe(4)
    expect(typesOf(receiver.got.slice(2))).toEqual(['purchase.initial', 'entitlement.granted'])
  })

  test('a delivery that fails is repeated, each time with the same id, and then the next one follows', async () => {
    receiver.statuses.push(500)
    receiver.complaint = 'boom\u001b[31m\nagain'
    const session = await begin(source, '--json')
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await printed(session, 3)
    await session.stop()
    const [head, ...lines] = session.out.map((line) => JSON.parse(line))
    expect(head).toEqual({ secret: secretOf(session), source: expect.any(String), forwardTo: receiver.url })
    const common = { at: '2026-11-20T08:00:00.000Z', type: 'purchase.initial', seq: 1, eventId: receiver.ids[0] }
    expect(lines[0]).toMatchObject({ ...common, attempt: 1, statusCode: 500, error: 'boom [31m again', nextInMs: 500 })
    expect(lines[1]).toMatchObject({ ...common, attempt: 2, statusCode: 204, error: null, replayFrom: null })
    expect(lines[2]).toMatchObject({ type: 'entitlement.granted', attempt: 1, statusCode: 204 })
    expect(lines[3]).toEqual({ delivered: 2, failed: 0, replayFrom: expect.stringMatching(/^ZXZ0O/) })
    expect(receiver.ids[0]).toBe(receiver.ids[1] ?? '')
  })
})

describe('svc listen', () => {
  test('says of a receiver that is not running how to replay what it missed', async () => {
    const [url] = [receiver.url, await receiver.close()]
    const args = ['--forward-to', url, '--types', 'purchase.*', '--project', 'project-1']
    const session = startListening(s, args, machineEnv(s))
    sessions.push(session)
    await session.line('out', 'whsec_')
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await session.line('out', 'not delivered')
    expect(await session.stop()).toBe(0)
    const attempts = session.out.filter((line) => line.includes('---'))
    expect(attempts.map((line) => line.split(' ms  ')[1])).toEqual([
      'nothing listens there; again in 0.5 s',
      'nothing listens there; again in 1 s',
      'nothing listens there; again in 2 s',
      'nothing listens there; not delivered, replay with --replay-from 2026-11-20T08:00:00.000Z',
    ])
    expect(session.out.at(-1)).toStartWith('Delivered: 0. Not delivered: 1.')
  }, 600_000)

  test('that is stopped while it still connects ends without a failure', async () => {
    const silent = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise<Response>(() => {}) })
    const env = { SVC_URL: `http://127.0.0.1:${silent.port}`, SVC_TOKEN: s.project.secretKey }
    const session = startListening(s, ['--forward-to', receiver.url], env)
    while (silent.pendingRequests === 0) await Bun.sleep(2)
    expect([await session.stop(), session.out, session.err]).toEqual([0, [], []])
    await silent.stop(true)
  })

  test('follows no redirect, and takes 410 for the last word', async () => {
    receiver.statuses.push(410, 302)
    const session = await begin(SOURCES[0])
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await printed(session, 3)
    await session.stop()
    expect(new Set(receiver.got.map(({ path }) => path))).toEqual(new Set(['/hooks']))
    expect(typesOf(receiver.got)).toEqual(['purchase.initial', 'entitlement.granted', 'entitlement.granted'])
    expect(session.out.at(-1)).toStartWith('Delivered: 1. Not delivered: 1.')
  })

  test('keeps every digit of a balance that no number holds', async () => {
    await begin(SOURCES[1], '--types', 'currency.*')
    await write(s.project.id, { balances: { gems: JSON.rawJSON('9007199254740993') } })
    await received(1)
    expect(receiver.got[0]?.body).toContain('"gems":9007199254740993')
  })

  test.each(SOURCES)('never sends events of another project (%s)', async (source) => {
    await begin(source)
    await write(s.other.id, {})
    await write(s.project.id, {})
    await write(s.other.id, {})
    await write(s.project.id, {})
    await received(2)
    expect(receiver.got.map(({ body }) => JSON.parse(body).projectId)).toEqual([s.project.id, s.project.id])
  })
})

let written = 0

/** Writes an event of a project without a subscriber. */
const write = (projectId: string, after: object): Promise<void> =>
  s.ctx.write(async (tx) => {
    const now = tx.clock.now()
    await tx.db.insert(tx.tables.events).values({
      ...{ id: `evt_${++written}`, projectId, type: 'currency.transaction', environment: 'PRODUCTION' },
      ...{ before: {}, after, data: {}, cause: causeOf('API', null), occurredAt: now, recordedAt: now },
    })
    tx.afterCommit(() => tx.state.feedSignal.notify(projectId))
  })

/** Runs a command that ends by itself. */
const run = (args: string[], env: Record<string, string>) => runWith(s, ['listen', ...args], { env })

const HOOKS = ['--forward-to', 'http://localhost:4242/hooks']

describe('svc listen refuses the command line', () => {
  const wrong: [name: string, args: string[], sentence: string][] = [
    ['without an address', [], '--forward-to http://localhost'],
    ['a text that is no address', ['--forward-to', 'localhost:4242'], '--forward-to takes an address like'],
    ['another scheme', ['--forward-to', 'ftp://localhost/x'], '--forward-to takes an address like'],
    ['a password in the address', ['--forward-to', 'http://a:b@localhost'], '--forward-to takes an address like'],
    ['http over the internet', ['--forward-to', 'http://hooks.example.com'], 'use https'],
    ['http to a public address', ['--forward-to', 'http://8.8.8.8/'], 'use https'],
    ['a type that cannot be one', [...HOOKS, '--types', 'Purchase!'], '--types: a comma list of event types'],
    ['an empty type', [...HOOKS, '--types', ''], '--types: a comma list of event types'],
    ['a date without a time', [...HOOKS, '--replay-from', '2026-11-20'], '--replay-from takes a time like'],
    ['a duration', [...HOOKS, '--replay-from', '10m'], '--replay-from takes a time like'],
    ['a public key', [...HOOKS, '--url', 'http://localhost:1', '--token', `svc_pub_${'a'.repeat(32)}`], 'a secret key'],
    ['no token', [...HOOKS, '--url', 'http://localhost:1'], '--url needs a secret key or a personal access token'],
    ['a token without a server', [...HOOKS, '--token', `svc_sec_${'a'.repeat(43)}`], '--token belongs to --url'],
    ['two places', [...HOOKS, '--url', 'http://localhost:1', '--data', 'x'], 'exclude each other'],
    [
      'a secret key in the clear',
      [...HOOKS, '--url', 'http://svc.example.com', '--token', 'x'],
      '--url (SVC_URL) takes',
    ],
    ['another word', [...HOOKS, 'now'], "Unexpected argument 'now'"],
  ]
  test.each(wrong)('%s', async (_name, args, sentence) => {
    const { code, out, err } = await run(args, machineEnv(s))
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(sentence)])
    expect(err).not.toContain('svc_sec_a')
  })
})

describe('svc listen ends with one sentence where', () => {
  const UNKNOWN_KEY = `svc_sec_${'Z'.repeat(43)}`
  const over = (url: string, token = s.project.secretKey, ...more: string[]) =>
    run(['--forward-to', receiver.url, ...more], { SVC_URL: url, SVC_TOKEN: token })

  const expectFailure = ({ code, out, err }: { code: number; out: string; err: string }, sentence: string) => {
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(sentence)])
    expect([err.includes('\n'), err.includes('svc_sec_'), receiver.got]).toEqual([false, false, []])
  }

  test('the server does not know the key', async () => {
    expectFailure(await over(server.url, UNKNOWN_KEY), 'does not accept the token')
  })

  test('the server does not know the personal token', async () => {
    expectFailure(await over(server.url, 'svc_pat_nobody'), 'does not accept the token')
  })

  test('the person of the token is no member of the project', async () => {
    const failed = await over(server.url, server.tokenOf('STRANGER'), '--project', 'project-1')
    expectFailure(failed, 'There is no project "project-1" that this token can see')
  })

  test('the token is revoked while it listens', async () => {
    const session = await begin(SOURCES[2])
    const [token] = [...server.team.sessions.tokens.values()]
    if (token) token.revokedAt = s.ctx.clock.now()
    await s.ctx.state.eventStreams.checkAccess()
    const code = await session.code
    expect([code, session.err.at(-1)]).toEqual([1, expect.stringContaining('does not accept the token')])
  }, 600_000)

  test('nothing listens at the address of the server', async () => {
    const { url } = receiver
    await server.close()
    expectFailure(await over(server.url), `${server.url} does not answer`)
    expect(url).toBe(receiver.url)
  })

  test.each([
    ['another program answers', () => new Response('hello'), 'answers with status 200 and not as this version of svc'],
    ['there is no such page', () => new Response('none', { status: 404 }), 'answers with status 404 and not as'],
    ['the server redirects', () => Response.redirect('https://example.com/', 302), 'redirects to another address'],
    ['the server is overloaded', () => new Response('', { status: 503 }), 'answers with status 503'],
    ['the answer is no page of events', () => Response.json({ data: { items: [1], nextCursor: 'x' } }), 'status 200'],
  ])('%s', async (_name, answer, sentence) => {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
    expectFailure(await over(`http://127.0.0.1:${other.port}`), sentence)
    await other.stop(true)
  })

  test('the cursor is of other types', async () => {
    const session = await begin(SOURCES[1], '--types', 'purchase.*', '--json')
    await session.stop()
    const { replayFrom } = JSON.parse(session.out.at(-1) ?? '')
    const { code, err } = await over(server.url, s.project.secretKey, '--replay-from', replayFrom)
    expect([code, err]).toEqual([1, expect.stringContaining('not a cursor of this feed with this filter')])
  })

  test('there is no such project on this machine', async () => {
    expectFailure(await run([...HOOKS, '--project', 'nobody'], machineEnv(s)), 'There is no project "nobody"')
  })

  test('the key is of another project than the one that is named', async () => {
    await write(s.project.id, {})
    const args = ['--project', s.other.id, '--replay-from', '2026-11-20T08:00:00Z']
    expectFailure(await over(server.url, s.project.secretKey, ...args), `The token is of the project ${s.project.id}`)
  })

  test('several projects could be meant', async () => {
    const { code, err } = await run(HOOKS, machineEnv(s))
    expect([code, err]).toEqual([2, expect.stringContaining('name one with --project')])
  })
})
