import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { createApp } from '../../src/app'
import { type CastProject, type Stage, stage } from '../support/cast'
import { Deployments, untilRead, within } from '../support/deployment'
import type { ServerProcess } from '../support/process'
import { isRelease } from '../support/release'
import { type Exchange, exchange, exchangeAll, holdOpen, jsonOf } from '../support/socket'

const SEED = 20261120
const all = new Deployments()
let project: CastProject
let server: ServerProcess

beforeAll(async () => {
  ;({ project, server } = await all.start())
})
afterAll(() => all.end())

const AUTH = () => `Authorization: Bearer ${project.secretKey}\r\nX-Svc-App-User-Id: svc_raw\r\n`
const TYPE = 'Content-Type: application/json\r\n'
const BODY = '{"attributes":{"plan":"pro"}}'

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`
const post = (headers: string, body = BODY, path = '/v1/me/attributes') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${AUTH()}${TYPE}${headers}\r\n${body}`

const sent = (bytes: string | Uint8Array) => exchange(server.url, bytes)
/** Sends bytes that may be an incomplete request. */
const sentAll = (bytes: string | Uint8Array) => exchangeAll(server.url, bytes)

/** The server did not fail: it refused, answered or closed. 505 is correct for another version of HTTP. */
const isCalm = ({ status }: Exchange): boolean => status === null || status < 500 || status === 505

async function expectAlive(): Promise<void> {
  const health = await sent(get('/health'))
  expect([health.status, jsonOf(health)]).toMatchObject([200, { status: 'ok' }])
  expect(server.stderr()).not.toContain('request failed')
}

const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

test('a good request in every honest form is answered', async () => {
  const length = `Content-Length: ${BODY.length}\r\n`
  for (const bytes of [
    get('/v1/me', AUTH()),
    get('http://localhost/v1/me', AUTH()),
    `GET /v1/me HTTP/1.1\r\nhost:localhost\r\n${AUTH()
      .toLowerCase()
      .replace(/bearer.*\r/, `Bearer ${project.secretKey}\r`)}\r\n`,
    post(length),
    post('Transfer-Encoding: chunked\r\n', `${chunked(BODY.slice(0, 9))}${chunked(BODY.slice(9))}0\r\n\r\n`),
    post(`${length}Expect: 100-continue\r\n`),
    post(length).replace(TYPE, ''),
    get('/v1/me', `${AUTH()}Content-Length: 3\r\n`).concat('abc'),
  ])
    expect([bytes.slice(0, 60), (await sent(bytes)).status]).toEqual([bytes.slice(0, 60), 200])
  const missing = await sent(post('Content-Length: 0\r\n', ''))
  expect([missing.status, jsonOf(missing)?.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
})

test('headers that come twice are joined, and two keys are none', async () => {
  const twice = await sent(get('/v1/me', `${AUTH()}X-Svc-App-User-Id: svc_second\r\n`))
  const joined = await sent(get('/v1/me', AUTH().replace('svc_raw', 'svc_raw, svc_second')))
  expect([twice.status, jsonOf(twice)]).toEqual([200, jsonOf(joined)])
  const keys = await sent(get('/v1/me', `${AUTH()}Authorization: Bearer ${project.secretKey}\r\n`))
  expect([keys.status, jsonOf(keys)?.error?.code]).toEqual([401, 'INVALID_API_KEY'])
})

const broken: [name: string, bytes: () => string | Uint8Array, statuses: (number | null)[]][] = [
  ['no request at all', () => '\r\n\r\n', [400, null]],
  ['noise', () => Buffer.from([0, 1, 2, 13, 10, 13, 10]), [400]],
  ['a TLS hello', () => Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]), [400, null]],
  ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['a method that is none', () => 'FOO /health HTTP/1.1\r\nHost: localhost\r\n\r\n', [null]],
  ['no host', () => 'GET /health HTTP/1.1\r\n\r\n', [400]],
  ['a header without a colon', () => get('/health', 'Nonsense\r\n'), [400]],
  ['a folded header', () => get('/v1/me', `Authorization: Bearer\r\n ${project.secretKey}\r\n`), [400]],
  ['NUL in a header', () => get('/v1/me', `${AUTH()}X-Svc-User-Id: a\0b\r\n`), [400]],
  ['a control character in a header', () => get('/v1/me', 'X-Svc-App-User-Id: a\x01b\r\n'), [400]],
  ['20 kB of one header', () => get('/health', `X-A: ${'a'.repeat(20_000)}\r\n`), [431]],
  ['1000 headers', () => get('/health', 'X-A: a\r\n'.repeat(1000)), [431]],
  ['20 kB of path', () => get(`/${'a'.repeat(20_000)}`), [431]],
  ['a negative length', () => post('Content-Length: -4\r\n'), [400]],
  ['a length that is none', () => post('Content-Length: 4x\r\n'), [400]],
  ['two lengths', () => post('Content-Length: 4\r\nContent-Length: 5\r\n'), [400]],
  ['a length and chunks', () => post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), [400]],
  ['a chunk size that is none', () => post('Transfer-Encoding: chunked\r\n', 'zz\r\n'), [400]],
  ['an unknown transfer coding', () => post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'), [400]],
]
for (const [name, bytes, statuses] of broken)
  test(`${name} is refused and the server lives`, async () => {
    const seen = await sent(bytes())
    expect(statuses).toContain(seen.status)
    expect(isCalm(seen)).toBe(true)
    await expectAlive()
  })

test('a declared length over the ceiling is 413 in the envelope at once, however long it is', async () => {
  for (const length of ['1048577', '70000000', '99999999999']) {
    const seen = await sent(post(`Content-Length: ${length}\r\n`, ''))
    expect([length, seen.status, jsonOf(seen)?.error?.code]).toEqual([length, 413, 'PAYLOAD_TOO_LARGE'])
  }
})

test('a chunked body over the ceiling is 413 in the envelope while it is sent', async () => {
  const parts = chunked('x'.repeat(65_536)).repeat(20)
  const seen = await sent(post('Transfer-Encoding: chunked\r\n', parts))
  expect([seen.status, jsonOf(seen)?.error?.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
})

test('requests cut off at any byte leave nothing behind', async () => {
  const whole = post(`Content-Length: ${BODY.length}\r\n`)
  const cuts = Array.from({ length: 60 }, (_, index) => Math.floor((whole.length * index) / 60))
  const seen = await Promise.all(cuts.map((cut) => sentAll(whole.slice(0, cut))))
  expect(seen.filter((one) => !isCalm(one) || one.status === 200)).toEqual([])
  const chunks = post('Transfer-Encoding: chunked\r\n', chunked(BODY).slice(0, -4))
  expect((await sentAll(chunks)).status).not.toBe(200)
  await expectAlive()
})

/** The server ends an incomplete head after 10 s. A client that waits for that takes longer than this. */
const HEAD_MS = 8000

test(
  '300 half requests keep nobody else waiting, and half a head does not hold up the end of the process',
  () =>
    within(
      HEAD_MS,
      () => all.start(),
      async ({ server: own, project: { secretKey } }) => {
        const startedAt = performance.now()
        const toOwn = (text: string) => text.replace(project.secretKey, secretKey)
        const half = toOwn(post('Content-Length: 1000\r\n', '{"attr'))
        const hold = (text: string) => Promise.all(Array.from({ length: 150 }, () => holdOpen(own.url, text)))
        const [heads, bodies] = [await hold(half.slice(0, 60)), await hold(half)]
        expect((await exchange(own.url, toOwn(get('/v1/me', AUTH())))).status).toBe(200)
        for (const socket of bodies) socket.destroy()
        await untilRead({ server: own })
        expect(await own.kill('SIGTERM')).toBe(0)
        expect(performance.now() - startedAt).toBeLessThan(HEAD_MS)
        expect(own.stderr()).toBe('') // The log says nothing of requests that did not end in time.
        for (const socket of heads) socket.destroy()
      },
    ),
  600_000,
)

/** Numbers below 1 that are the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

type Draw = (below: number) => number

const SPICE = [
  '\0',
  '\r\n',
  '\r\n\r\n',
  '%00',
  '%ff',
  '{',
  '}',
  '[',
  '"',
  '\\u0000',
  ':',
  '9'.repeat(40),
  'é',
  ' ',
  '/../',
]

/** One change at a random place: a bit, a cut, a repetition, a foreign text, or two swapped lines. */
function mutate(text: string, draw: Draw): string {
  const [at, length] = [draw(text.length), 1 + draw(40)]
  const [before, part, after] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)]
  const lines = text.split('\r\n')
  switch (draw(6)) {
    case 0:
      return before + String.fromCharCode(part.charCodeAt(0) ^ (1 << draw(8))) + text.slice(at + 1)
    case 1:
      return before + after
    case 2:
      return before + part.repeat(1 + draw(50)) + after
    case 3:
      return before + (SPICE[draw(SPICE.length)] ?? '') + text.slice(at)
    case 4:
      return lines.toSpliced(draw(lines.length), 1, lines[draw(lines.length)] ?? '').join('\r\n')
    default:
      return text.slice(0, at)
  }
}

function requestsOf(draw: Draw, count: number): string[] {
  const length = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n`
  const receipt = `{"receipt":"a.b.c","appUserId":"svc_raw","productId":"pro_monthly"}`
  const identify = '{"deviceKey":"svc_raw","appUserId":"raw"}'
  const amount = '{"amount":1,"idempotencyKey":"raw"}'
  const good = [
    get('/v1/me', AUTH()),
    get('/v1/offerings?subscriberId=svc_raw', AUTH()),
    get('/v1/subscribers/svc_raw/access', `${AUTH()}If-None-Match: "x", *\r\n`),
    get(
      `/v1/web/${project.publicKey}/me`,
      `Authorization: Bearer ${project.publicKey}\r\nOrigin: https://a.example\r\n`,
    ),
    post(`${length(BODY)}Idempotency-Key: raw\r\n`),
    post(length(identify), identify, '/v1/identify'),
    post(length(receipt), receipt, '/v1/receipts/ios'),
    post(length(amount), amount, '/v1/virtual-currencies/svc_raw/coins/transactions'),
    post('Transfer-Encoding: chunked\r\n', `${chunked(BODY)}0\r\n\r\n`),
  ]
  return Array.from({ length: count }, () => {
    let text = good[draw(good.length)] ?? ''
    for (let times = 1 + draw(3); times > 0; times--) text = mutate(text, draw)
    return text
  })
}

test(`1000 damaged requests are each answered or closed, none by a fault of ours (seed ${SEED})`, async () => {
  const random = seeded(SEED)
  const waiting = requestsOf((below) => Math.floor(random() * below), 1000)
  const bad: unknown[] = []
  const statuses = new Set<number | null>()
  const work = async () => {
    for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
      const seen = await sentAll(Buffer.from(text, 'latin1'))
      statuses.add(seen.status)
      if (!isCalm(seen)) bad.push({ sent: text, ...seen })
      if (seen.text.includes('"error"')) expect(Object.keys(jsonOf(seen) ?? {})).toEqual(['error'])
    }
  }
  await Promise.all(Array.from({ length: 40 }, work))
  expect(bad).toEqual([])
  // The changes led to answers of every kind.
  for (const status of [200, 400, 401, 404, null]) expect(statuses).toContain(status)
  await expectAlive()
}, 600_000)

async function listening<Result>(own: Stage, work: (url: string) => Promise<Result>): Promise<Result> {
  const app = createApp(own.ctx).listen({ hostname: '127.0.0.1', port: 0 })
  try {
    return await work(`http://127.0.0.1:${app.server?.port}`)
  } finally {
    await app.server?.stop(true)
    await own.close()
  }
}

test('a connection between two requests stays open for 75 s, or as long as it is set', async () => {
  for (const [env, idleTimeout] of [[{}, 75] as const, [{ SVC_KEEP_ALIVE_SECONDS: '255' }, 255] as const]) {
    const own = await stage({ env })
    expect(createApp(own.ctx).config.serve).toMatchObject({ idleTimeout })
    await own.close()
  }
})

test.if(isRelease)(
  'an unused connection is closed cleanly, and slow headers end before it however long it is set',
  async () => {
    const [short, long] = [
      await stage({ env: { SVC_KEEP_ALIVE_SECONDS: '30' } }),
      await stage({ env: { SVC_KEEP_ALIVE_SECONDS: '255' } }),
    ]
    await listening(short, (url) => listening(long, (other) => expectEnds(url, other)))
  },
  600_000,
)

async function expectEnds(short: string, long: string): Promise<void> {
  const asked = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const [unused, silent, partial] = await Promise.all([
    endOf(await holdOpen(short, asked)),
    endOf(await holdOpen(long, '')),
    endOf(await holdOpen(long, 'GET /health HTTP/1.1\r\nHost: loc')),
  ])
  expect([unused.isClean, silent.isClean, partial.isClean]).toEqual([true, true, true])
  expect(unused.seconds).toBeGreaterThan(20)
  for (const { seconds } of [silent, partial]) expect(seconds).toBeLessThan(20)
}

/** How the other side closes a connection: with an end (FIN), not by a reset. */
function endOf(socket: Socket): Promise<{ isClean: boolean; seconds: number }> {
  const startedAt = performance.now()
  let isClean = false
  socket.on('end', () => {
    isClean = true
  })
  socket.resume()
  return new Promise((resolve) =>
    socket.on('close', (hadError) =>
      resolve({ isClean: isClean && !hadError, seconds: (performance.now() - startedAt) / 1000 }),
    ),
  )
}

test('a health check needs no Host, and everything else does', async () => {
  const own = await stage({ env: { SVC_RATE_IP: '4' } })
  await listening(own, async (url) => {
    const statusOf = async (text: string) => (await exchange(url, `${text}\r\n\r\n`)).status
    for (const path of ['/health', '/health/ready', '/health?x=1'])
      for (const rest of [
        'HTTP/1.0',
        'HTTP/1.1\r\nHost:',
        'HTTP/1.1\r\nHost: a b',
        'HTTP/1.0\r\nHost: [::1',
        'HTTP/1.1\r\nHost: a\r\nHost: b',
      ])
        expect([path, rest, await statusOf(`GET ${path} ${rest}`)]).toEqual([path, rest, 200])
    for (const path of ['/', '/health']) expect(await statusOf(`OPTIONS ${path} HTTP/1.0`)).toBe(204)
    expect((await exchangeAll(url, 'HEAD /health HTTP/1.0\r\n\r\n')).text).toStartWith('HTTP/1.1 200')
    expect(jsonOf(await exchange(url, 'GET /health HTTP/1.0\r\n\r\n'))).toMatchObject({ status: 'ok' })
    for (const path of ['/', '/v1/me', '/healthy', '/health/', '/health/x', '/v1/health', '/dashboard/me/health'])
      expect([path, await statusOf(`GET ${path} HTTP/1.0`)]).toEqual([path, 400])
    for (const path of ['/v1/offerings', '/dashboard/me']) expect(await statusOf(`OPTIONS ${path} HTTP/1.0`)).toBe(400)
    expect(await statusOf('POST / HTTP/1.0')).toBe(400)
    // RFC 9112 3.2; the parser refuses it before any code of ours.
    expect(await statusOf('GET /health HTTP/1.1')).toBe(400)
  })
})

test('a Host header cannot lead around the limit of an address', async () => {
  const own = await stage({ env: { SVC_RATE_IP: '4' } })
  const hosts = ['x', 'svc', 'localhost', 'api:3000', 'a b', 'localhost/health/', 'localhost?', 'localhost#', '']
  await listening(own, async (url) => {
    const seen: (number | null)[] = []
    for (const host of hosts)
      seen.push((await exchange(url, `GET /health/v1/me HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status)
    expect(seen).toEqual([404, 404, 404, 404, 400, 400, 400, 400, 400])
    const me = (host: string) => exchange(url, `GET /v1/me HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    expect((await me('x')).status).toBe(401)
    const bad = jsonOf(await me('a b'))
    expect(bad?.error).toEqual({ code: 'VALIDATION_ERROR', message: 'The Host header is not valid' })
    for (let index = 0; index < 3; index++) await me('svc')
    for (const host of hosts.slice(0, 4)) expect((await me(host)).status).toBe(429)
  })
})

test('a host that is none and two hosts are 400 before anything reads them, and every answer says nosniff', async () => {
  const own = await stage()
  await listening(own, async (url) => {
    for (const hosts of ['Host: [::1', 'Host: a:99999', 'Host: a.test\r\nHost: b.test', 'Host: a.test\r\nHost: a.test'])
      for (const path of ['/dashboard/me', '/v1/me'])
        expect([hosts, (await exchange(url, `GET ${path} HTTP/1.1\r\n${hosts}\r\nOrigin: x\r\n\r\n`)).status]).toEqual([
          hosts,
          400,
        ])
    expect((await exchange(url, 'GET /v1/me HTTP/1.1\r\nHost: [::1]:80\r\n\r\n')).status).toBe(401)
    const key = { authorization: `Bearer ${own.project.publicKey}`, 'x-svc-app-user-id': 'svc_ada' }
    for (const path of ['/v1/me', '/v1/offerings', '/v1/nowhere', '/health', '/metrics', '/docs/guide/', '/']) {
      const { headers } = await fetch(url + path, { headers: key, redirect: 'manual' })
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
      expect(headers.get('strict-transport-security')).toBeNull()
    }
  })
  expect(own.ctx.lines.join('\n')).not.toContain('Invalid URL')
  await own.close()
})

test('an https address is the only one that browsers take from then on', async () => {
  const own = await stage({ env: { PUBLIC_BASE_URL: 'https://svc.example.com' } })
  await listening(own, async (url) => {
    for (const path of ['/v1/nowhere', '/health', '/docs/guide/'])
      expect((await fetch(url + path)).headers.get('strict-transport-security')).toBe('max-age=31536000')
  })
  await own.close()
})

test('a listening server reads paths as the app in process does', async () => {
  const own = await stage()
  const paths = ['/v1/me', '/v1/me/', '/v1//me', '/v1/%6de', '/v1/me?', '/V1/me', '/', '/v1', '/v1/web', '/v1/web/x']
  const references = ['a%2Fb', '%ff', '%zz', '%00', '%', '%E2%82%AC', 'a+b', 'a;b', '..%2F..', 'x'.repeat(300)]
  const all = [...paths, ...references.map((reference) => `/v1/subscribers/${reference}/access`), '/v1/offerings?x=%ff']
  await listening(own, async (url) => {
    for (const path of all) {
      const here = await own.call('GET', path, { key: own.project.secretKey })
      const there = await exchange(url, get(path, `Authorization: Bearer ${own.project.secretKey}\r\n`))
      // The two differ in which part decodes the path.
      const status = here.status === 400 && path.includes('%') ? [400, 404] : [here.status]
      expect([path, status.includes(there.status ?? 0)]).toEqual([path, true])
    }
    const head = await exchangeAll(url, `HEAD /v1/offerings HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    expect(head.text).toStartWith('HTTP/1.1 401')
    expect(head.text).toEndWith('\r\n\r\n')
  })
})
