import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { createApp } from '../../src/app'
import type { Context } from '../../src/base/context'
import { DAY, SECOND } from '../../src/base/lib/clock'
import { slice } from '../../src/base/slice'
import { admin } from '../../src/projects/doors/admin'
import { operator } from '../../src/projects/doors/operator'
import { SLICES } from '../../src/slices'
import { type Stage, stage } from '../support/cast'
import { person, TestSessions } from '../support/sessions'
import { exchange, jsonOf } from '../support/socket'
import { browserOf } from '../support/staff'

const body = Type.Object({ n: Type.Integer() }, { additionalProperties: false })
const done = () => ({ data: {} })
const extra = slice({
  name: 'extra',
  operatorRoutes: (ctx: Context) => operator(ctx, { role: 'ADMIN' }).post('/do', done, { body }),
  adminRoutes: (ctx: Context) => admin(ctx).post('/do', done, { body }),
})

let s: Stage
let url: string
let stop: () => Promise<unknown> | undefined
beforeAll(async () => {
  s = await stage({ slices: [...SLICES, extra] })
  s.ctx.state.sessions = new TestSessions()
  const app = createApp(s.ctx, [...SLICES, extra]).listen({ hostname: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${app.server?.port}`
  stop = async () => app.server?.stop(true)
})
afterAll(async () => {
  await stop()
  await s.close()
})

/** A body without an end, and how often something was read of it. */
function endless() {
  const seen = { reads: 0 }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.reads++
        controller.enqueue(new Uint8Array(65_536).fill(32))
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, seen }
}

const WEB = () => `/v1/web/${s.project.publicKey}`
const UNKNOWN = `Bearer svc_sec_${'0'.repeat(43)}`

const refused: [name: string, path: () => string, headers: Record<string, string>, refusal: [number, string]][] = [
  ['no key', () => '/v1/identify', {}, [401, 'BEARER_REQUIRED']],
  ['a text that is no key', () => '/v1/identify', { authorization: 'Bearer x' }, [401, 'INVALID_API_KEY_FORMAT']],
  ['an unknown key', () => '/v1/receipts/ios', { authorization: UNKNOWN }, [401, 'INVALID_API_KEY']],
  ['an unknown key of a page', () => `${WEB()}/identify`, { authorization: UNKNOWN }, [401, 'INVALID_API_KEY']],
  ['no session', () => `/dashboard/projects/${s.project.id}/do`, {}, [401, 'UNAUTHORIZED']],
  ['no session of the platform', () => '/admin/do', {}, [401, 'UNAUTHORIZED']],
]

describe('a body is not read of a call with', () => {
  test.each(refused)('%s', async (_name, path, headers, refusal) => {
    const { stream, seen } = endless()
    const request = new Request(`http://localhost${path()}`, { method: 'POST', headers, body: stream })
    const answer = await createApp(s.ctx, [...SLICES, extra]).handle(request)
    const { error } = (await answer.json()) as { error: { code: string } }
    expect([answer.status, error.code, seen.reads]).toEqual([...refusal, 0])
  })

  test.each(['/ofrep/v1/evaluate/flags', '/ofrep/v1/evaluate/flags/one'])('a bad key on %s', async (path) => {
    const { stream, seen } = endless()
    const headers = { 'x-api-key': `svc_pub_${'0'.repeat(32)}` }
    const answer = await s.app.handle(new Request(`http://localhost${path}`, { method: 'POST', headers, body: stream }))
    expect([answer.status, seen.reads]).toEqual([401, 0])
  })

  test('the wrong kind of key, or a key above its rate', async () => {
    const authorization = `Bearer ${s.project.publicKey}`
    const ask = async (own: Stage, path: string) => {
      const { stream, seen } = endless()
      const request = { method: 'POST', headers: { authorization }, body: stream }
      const answer = await own.app.handle(new Request(`http://localhost${path}`, request))
      return [answer.status, seen.reads]
    }
    expect(await ask(s, '/v1/virtual-currencies/ada/coins/transactions')).toEqual([403, 0])
    const limited = await stage({ env: { SVC_RATE_KEY: '1' } })
    await limited.get('/v1/offerings')
    expect(await ask(limited, '/v1/identify')).toEqual([429, 0])
    await limited.close()
  })
})

describe('the right is lost while a body is on its way', () => {
  const sessions = () => s.ctx.state.sessions as TestSessions
  const member = () => `ada ${s.project.id}`

  /** Its second half comes after `ms` and what happens meanwhile. */
  const halves = (text: string, ms: number, meanwhile: () => void) =>
    new ReadableStream<Uint8Array>(
      {
        start: (controller) => controller.enqueue(new TextEncoder().encode(text.slice(0, 4))),
        pull(controller) {
          meanwhile()
          s.ctx.clock.advance(ms)
          controller.enqueue(new TextEncoder().encode(text.slice(4)))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )

  async function act(ms: number, meanwhile: () => void) {
    const user = person('ada')
    const now = s.ctx.clock.now()
    const times = { createdAt: now, expiresAt: now + DAY, revokedAt: null }
    sessions().sessions.set('ada', { id: 'ada', user, ...times, hasPassedTwoFactor: true })
    sessions().roles.set(member(), 'ADMIN')
    const { origin, cookie } = browserOf(s)
    const headers = { origin, cookie: `${cookie}=ada`, 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: halves('{"n": 1}', ms, meanwhile) }
    const url = `http://localhost/dashboard/projects/${s.project.id}/do`
    const answer = await createApp(s.ctx, [...SLICES, extra]).handle(new Request(url, request))
    return [answer.status, ((await answer.json()) as { error?: { code: string } }).error?.code]
  }

  test.each<[what: string, lost: () => void, refusal: [number, string]]>([
    ['with the membership', () => void sessions().roles.delete(member()), [404, 'NOT_FOUND']],
    ['with the role', () => void sessions().roles.set(member(), 'CUSTOMER_SUPPORT'), [403, 'ROLE_REQUIRED']],
    ['with the session', () => void sessions().sessions.clear(), [401, 'UNAUTHORIZED']],
  ])('%s: a slow call is refused', async (_what, lost, refusal) => {
    expect(await act(5 * SECOND, lost)).toEqual(refusal)
  })

  test('whose caller keeps it is answered', async () => {
    expect(await act(5 * SECOND, () => {})).toEqual([200, undefined])
  })
})

describe('over a connection', () => {
  const head = (path: string, headers: string) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}`
  const unfinished: [name: string, headers: string, sent: string][] = [
    ['of 1 MiB, whole', 'Content-Length: 1048576\r\n\r\n', 'x'.repeat(1_048_576)],
    ['of 1 MiB, half', 'Content-Length: 1048576\r\n\r\n', 'x'.repeat(524_288)],
    ['of which nothing has come', 'Content-Length: 100\r\n\r\n', ''],
    ['in chunks without end', 'Transfer-Encoding: chunked\r\n\r\n', `10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(8)],
  ]

  test.each(unfinished)('a bad key is told at once, with a body %s', async (_name, headers, sent) => {
    for (const [, path, given, [status, code]] of refused) {
      const own = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`)
      const seen = await exchange(url, `${head(path(), own.join(''))}${headers}${sent}`)
      expect([seen.status, jsonOf(seen)?.error?.code]).toEqual([status, code])
    }
  })

  test('the next request on the connection is answered after the rest of the body', async () => {
    const rest = 'x'.repeat(100_000)
    const next = `GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    const first = `${head('/v1/identify', `Content-Length: ${rest.length}\r\n\r\n`)}${rest}`
    const answers = await allOf(`${first}${next}`)
    expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['401', '200'])
  })

  /** Everything that comes back until the server closes. */
  async function allOf(bytes: string): Promise<string> {
    const { hostname, port } = new URL(url)
    let text = ''
    const { promise, resolve } = Promise.withResolvers<void>()
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_socket, part) => {
          text += part.toString()
        },
        close: () => resolve(),
      },
    })
    socket.write(bytes)
    await promise
    return text
  }
})
