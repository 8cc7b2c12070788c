import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { selfSigned } from '../../../test/support/self-signed'
import { OutgoingCalls } from './outgoing'

const NAME = 'keys.example.test'
const LIMITS = { timeoutMs: 5000, maxBytes: 1000 }
const HERE = ['127.0.0.1']
const text = (result: Awaited<ReturnType<OutgoingCalls['call']>>) =>
  result.ok ? [result.status, Buffer.from(result.body).toString()] : result.reason

describe('over https', () => {
  let ca: string
  let server: Bun.Server<undefined>
  const hosts: (string | null)[] = []
  beforeAll(async () => {
    const { cert, key } = await selfSigned(NAME)
    ca = cert
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      tls: { cert, key },
      fetch(request) {
        hosts.push(request.headers.get('host'))
        return new Response('keys')
      },
    })
  })
  afterAll(() => server.stop(true))

  const callWith = (resolve: (host: string) => Promise<string[]>, name = NAME) =>
    new OutgoingCalls({ isLoopbackAllowed: true, resolve, ca }).call(`https://${name}:${server.port}/`, {}, LIMITS)

  test('the connection goes to the address that was checked, looked up once, and the name stays', async () => {
    const asked: string[] = []
    const resolve = async (host: string) => {
      asked.push(host)
      return asked.length === 1 ? HERE : ['10.0.0.1']
    }
    expect(text(await callWith(resolve))).toEqual([200, 'keys'])
    expect(asked).toEqual([NAME])
    expect(hosts.at(-1)).toBe(`${NAME}:${server.port}`)
    expect(await callWith(resolve)).toEqual({ ok: false, reason: 'private_address' })
  })

  test('a certificate for another name is not believed', async () => {
    const before = hosts.length
    expect(await callWith(async () => HERE, 'other.example.test')).toEqual({ ok: false, reason: 'unreachable' })
    const strict = new OutgoingCalls({ isLoopbackAllowed: true, resolve: async () => HERE })
    const answer = await strict.call(`https://${NAME}:${server.port}/`, {}, LIMITS)
    expect(answer).toEqual({ ok: false, reason: 'unreachable' })
    expect(hosts.length).toBe(before)
  })
})

describe('a name with several addresses', () => {
  // No other test listens at 127.7.7.x, so a port that is free there stays free.
  const seen: string[] = []
  const servers: Bun.Server<undefined>[] = []
  const listen = (hostname: string, port = 0) => {
    const fetch = () => {
      seen.push(hostname)
      return new Response(hostname)
    }
    const server = Bun.serve({ port, hostname, fetch })
    servers.push(server)
    return server
  }
  const call = (calls: OutgoingCalls, port: number | undefined) =>
    calls.call(`http://localhost:${port}/`, { method: 'POST', body: 'x' }, LIMITS)
  afterEach(async () => {
    seen.length = 0
    for (const server of servers.splice(0)) await server.stop(true)
  })

  test('is called once, at the first that accepts a connection', async () => {
    const { port } = listen('127.7.7.2')
    const calls = new OutgoingCalls({
      isLoopbackAllowed: true,
      resolve: async () => ['127.7.7.1', '127.7.7.2', '127.7.7.3'],
    })
    expect(text(await call(calls, port))).toEqual([200, '127.7.7.2'])
    listen('127.7.7.1', port)
    expect(text(await call(calls, port))).toEqual([200, '127.7.7.1'])
    expect(seen).toEqual(['127.7.7.2', '127.7.7.1'])
  })

  test('is called over IPv6 when IPv4 leads nowhere, and the other way round', async () => {
    const { port } = listen('::1')
    for (const found of [['127.7.7.1', '::1'], ['::1', '127.7.7.1'], ['::1']]) {
      const calls = new OutgoingCalls({ isLoopbackAllowed: true, resolve: async () => found })
      expect(text(await call(calls, port))).toEqual([200, '::1'])
    }
  })

  test('an address that has stopped since is left for another one', async () => {
    const first = listen('127.7.7.1')
    const { port } = first
    const calls = new OutgoingCalls({ isLoopbackAllowed: true, resolve: async () => ['127.7.7.1', '127.7.7.2'] })
    expect(text(await call(calls, port))).toEqual([200, '127.7.7.1'])
    await first.stop(true)
    listen('127.7.7.2', port)
    for (let times = 0; times < 2; times++) expect(text(await call(calls, port))).toEqual([200, '127.7.7.2'])
    expect(seen).toEqual(['127.7.7.1', '127.7.7.2', '127.7.7.2'])
  })

  test('none of which accepts a connection is unreachable', async () => {
    const { port } = listen('127.7.7.9')
    const calls = new OutgoingCalls({ isLoopbackAllowed: true, resolve: async () => ['127.7.7.1', '127.7.7.2'] })
    expect(text(await call(calls, port))).toBe('unreachable')
  })

  test('one of which is private is refused, and no address of it is asked', async () => {
    const { port } = listen('127.7.7.1')
    for (const other of ['10.0.0.1', 'fd00::1', '169.254.169.254', '::ffff:10.0.0.1']) {
      const calls = new OutgoingCalls({ isLoopbackAllowed: true, resolve: async () => ['127.7.7.1', other] })
      expect((await call(calls, port)).ok).toBe(false)
    }
    expect(seen).toEqual([])
  })
})

describe('a name is refused before anything is sent', () => {
  const cases: [name: string, found: string[], reason: string][] = [
    ['that leads to this machine', HERE, 'private_address'],
    ['one of whose addresses is private', ['8.8.8.8', '192.168.0.1'], 'private_address'],
    ['that leads nowhere', [], 'unresolvable'],
    ['that leads to a reserved address', ['0.0.0.0'], 'not_routable'],
  ]
  for (const [name, found, reason] of cases)
    test(name, async () => {
      const calls = new OutgoingCalls({ isLoopbackAllowed: false, resolve: async () => found })
      expect(await calls.call('https://keys.example.test/', {}, LIMITS)).toEqual({ ok: false, reason } as never)
      expect(await calls.faultOf('https://keys.example.test/')).toBe(reason as never)
    })

  test('that cannot be looked up', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'))
    const calls = new OutgoingCalls({ isLoopbackAllowed: false, resolve })
    expect(await calls.call('https://keys.example.test/', {}, LIMITS)).toEqual({ ok: false, reason: 'unresolvable' })
  })
})

describe('an answer', () => {
  const stopped = Promise.withResolvers<void>()
  let server: Bun.Server<undefined>
  let elsewhere = 0
  const ANSWERS: Record<string, (request: Request) => Response | Promise<Response>> = {
    '/long': () => new Response('x'.repeat(1001)),
    '/stream': () => new Response(new ReadableStream({ pull: (out) => out.enqueue(new Uint8Array(600)) })),
    '/packed': () => new Response(Bun.gzipSync(Buffer.alloc(900_000)), { headers: { 'content-encoding': 'gzip' } }),
    '/encodings': (request) => Response.json([request.headers.get('accept-encoding'), request.headers.get('x-one')]),
    '/redirect': () => Response.redirect('/elsewhere', 302),
    '/elsewhere': () => {
      elsewhere++
      return new Response('no')
    },
    '/hangs': async () => {
      await stopped.promise
      return new Response()
    },
    '/drips': () => new Response(new ReadableStream({ start: (out) => out.enqueue(new Uint8Array(1)) })),
  }
  beforeAll(() => {
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => ANSWERS[new URL(request.url).pathname]?.(request) ?? new Response('ok'),
    })
  })
  afterAll(() => {
    stopped.resolve()
    return server.stop(true)
  })
  const get = (path: string, limits = LIMITS) =>
    new OutgoingCalls({ isLoopbackAllowed: true }).call(`http://127.0.0.1:${server.port}${path}`, {}, limits)

  test('is read with its status', async () => expect(text(await get('/'))).toEqual([200, 'ok']))

  test('is asked for unpacked, with the headers of the call', async () => {
    const calls = new OutgoingCalls({ isLoopbackAllowed: true })
    const headers = { 'x-one': '1', 'accept-encoding': 'gzip' }
    const answer = await calls.call(`http://127.0.0.1:${server.port}/encodings`, { headers }, LIMITS)
    expect(text(answer)).toEqual([200, '["identity","1"]'])
  })

  test('above the limit of size is refused, also when it never ends or is packed', async () => {
    for (const path of ['/long', '/stream']) expect([path, await get(path)]).toEqual([path, TOO_LARGE])
    const packed = await get('/packed')
    expect(packed.ok ? packed.body.length < 1000 : packed.reason === 'too_large').toBe(true)
  })
  const TOO_LARGE = { ok: false, reason: 'too_large' } as const

  test('that leads elsewhere is not followed', async () => {
    const answer = await get('/redirect')
    expect(answer).toMatchObject({ ok: true, status: 302 })
    expect(elsewhere).toBe(0)
  })

  test('that does not come, or does not end, is given up', async () => {
    for (const path of ['/hangs', '/drips'])
      expect([path, await get(path, { ...LIMITS, timeoutMs: 100 })]).toEqual([path, { ok: false, reason: 'timeout' }])
  })

  test('is not waited for while the name is looked up for too long', async () => {
    const calls = new OutgoingCalls({ isLoopbackAllowed: false, resolve: () => new Promise(() => {}) })
    const answer = await calls.call('https://keys.example.test/', {}, { ...LIMITS, timeoutMs: 50 })
    expect(answer).toEqual({ ok: false, reason: 'timeout' })
  })

  test('of a closed port is a fault and no error', async () => {
    const calls = new OutgoingCalls({ isLoopbackAllowed: true })
    expect(await calls.call('http://127.0.0.1:1/', {}, LIMITS)).toEqual({ ok: false, reason: 'unreachable' })
  })
})
