import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { OutgoingCalls, type OutgoingLimits, type OutgoingResult } from '../../src/base/http/outgoing'
import { MINUTE } from '../../src/base/lib/clock'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { deliver, notificationBody } from '../support/notify'
import { selfSigned } from '../support/self-signed'

// What the delivery log says of receivers that misbehave. The deliveries are forwarded notifications.

/** Calls with another limit of time. */
class TimedCalls extends OutgoingCalls {
  constructor(
    private readonly timeoutMs: number,
    parts: ConstructorParameters<typeof OutgoingCalls>[0],
  ) {
    super(parts)
  }
  override call(address: string, init: RequestInit, limits: OutgoingLimits): Promise<OutgoingResult> {
    return super.call(address, init, { ...limits, timeoutMs: this.timeoutMs })
  }
}

let s: Stage
const open: Server[] = []
const sockets = new Set<Socket>()
beforeEach(async () => {
  s = await stage()
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  for (const server of open.splice(0)) server.close()
  await s.close()
})

/** A server that does with a connection what it is told, once something has arrived. Returns its port. */
async function listen(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

interface Rules {
  isLoopbackAllowed: boolean
  hosts?: Record<string, string[][]>
  /** A certificate that is believed. */
  ca?: string
  /** Short where the receiver never answers. Otherwise so long that a slow machine is no fault of the receiver. */
  timeoutMs?: number
}

/** Sends one notification to all addresses; returns what the log says of the attempt, by address. */
async function logOf(urls: readonly string[], { isLoopbackAllowed, hosts = {}, ca, timeoutMs = MINUTE }: Rules) {
  const resolve = async (host: string) => hosts[host]?.shift() ?? []
  s.ctx.state.outgoing = new TimedCalls(timeoutMs, { isLoopbackAllowed, resolve, ...(ca && { ca }) })
  const { storeSettings: t, notificationForwards: f, deliveries: d } = s.ctx.tables
  const config = { bundleId: 'com.example.sleep', notificationForwards: urls }
  await s.ctx.write((tx) => tx.db.update(t).set({ config }))
  s.ctx.state.projects.forget(s.project.id)
  const body = notificationBody(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(MONTHLY), { id: 'n-1', renewal: {} })
  expect((await deliver(s, body)).status).toBe(200)
  await s.ctx.state.dispatcher.runDue()
  const forwards = new Map((await s.ctx.db.select().from(f)).map(({ id, url }) => [id, url]))
  const rows = await s.ctx.db.select().from(d)
  expect(rows.every(({ attempts, log }) => attempts === 1 && log.length === 1)).toBe(true)
  return Object.fromEntries(
    rows.map(({ targetId, status, log: [entry] }) => [
      forwards.get(targetId),
      [status, entry?.statusCode ?? entry?.error ?? 'nothing'],
    ]),
  )
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'

const HOSTILE: [name: string, answer: (socket: Socket) => void, said: unknown[]][] = [
  ['hangs before its headers', () => {}, ['FAILED', 'timeout']],
  ['hangs in its headers', (socket) => socket.write(HEAD), ['FAILED', 'timeout']],
  ['hangs in its body', (socket) => socket.write(`${HEAD}content-length: 9\r\n\r\nabc`), ['FAILED', 'timeout']],
  [
    'sends a byte from time to time',
    (socket) => {
      socket.write(`${HEAD}content-length: 100000\r\n\r\n`)
      const timer = setInterval(() => socket.write('x'), 20)
      socket.once('close', () => clearInterval(timer))
    },
    ['FAILED', 'timeout'],
  ],
  [
    'redirects to this machine',
    (socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n'),
    ['FAILED', 302],
  ],
  [
    'announces 10 GB, and begins to send them',
    (socket) => {
      socket.write(`${HEAD}content-length: 10000000000\r\n\r\n`)
      socket.write('x'.repeat(64 * 1024))
    },
    ['SUCCEEDED', 200],
  ],
  ['closes without an answer', (socket) => socket.destroy(), ['FAILED', 'unreachable']],
  ['resets the connection without an answer', (socket) => socket.resetAndDestroy(), ['FAILED', 'unreachable']],
  [
    'closes in the middle of its body',
    (socket) => socket.end(`${HEAD}content-length: 9\r\n\r\nabc`),
    ['FAILED', 'unreachable'],
  ],
  ['speaks no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n\r\n'), ['FAILED', 'unreachable']],
]
for (const [name, answer, said] of HOSTILE)
  test(`a receiver that ${name}`, async () => {
    const url = `http://127.0.0.1:${await listen(answer)}/`
    const timeoutMs = said[1] === 'timeout' ? 300 : MINUTE
    expect(await logOf([url], { isLoopbackAllowed: true, timeoutMs })).toEqual({ [url]: said })
  })

test('a receiver that does not listen', async () => {
  const port = await listen(() => {})
  await new Promise<void>((resolve) => open[0]?.close(() => resolve()))
  const url = `http://127.0.0.1:${port}/`
  expect(await logOf([url], { isLoopbackAllowed: true })).toEqual({ [url]: ['FAILED', 'unreachable'] })
})

test('a receiver that speaks no TLS', async () => {
  const url = `https://127.0.0.1:${await listen((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))}/`
  expect(await logOf([url], { isLoopbackAllowed: true })).toEqual({ [url]: ['FAILED', 'unreachable'] })
})

test('a receiver with a certificate for another name', async () => {
  const { cert, key } = await selfSigned('right.example.com')
  const got: string[] = []
  const server = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0, tls: { cert, key } },
    fetch: (request) => {
      got.push(request.headers.get('host') ?? '')
      return new Response('ok')
    },
  })
  const [right, wrong] = ['right', 'wrong'].map((name) => `https://${name}.example.com:${server.port}/`) as [
    string,
    string,
  ]
  const hosts = { 'right.example.com': [['127.0.0.1']], 'wrong.example.com': [['127.0.0.1']] }
  const said = { [right]: ['SUCCEEDED', 200], [wrong]: ['FAILED', 'unreachable'] }
  expect(await logOf([right, wrong], { isLoopbackAllowed: true, hosts, ca: cert })).toEqual(said)
  expect(got).toEqual([`right.example.com:${server.port}`])
  await server.stop(true)
})

test('addresses that may not be called, however they are spelled', async () => {
  const PRIVATE = [
    ...['127.0.0.1', '127.1', '0x7f000001', '2130706433', '0177.0.0.1', '0x7f.1', '127.0.0.1.'],
    ...['10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
    ...['[::1]', '[fc00::1]', '[fe80::1]', '[::ffff:127.0.0.1]', '[::ffff:a00:1]'],
    ...['[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[2002:7f00:1::]', '[2002:a00:1::1]'],
  ]
  const RESERVED = ['0.0.0.0', '[::]', '224.0.0.1', '255.255.255.255', '192.0.2.1', '240.0.0.1']
  const NAMES = ['localhost', 'printer.local', 'metadata.internal', 'intranet']
  const said: [hosts: string[], reason: string][] = [
    [PRIVATE, 'private_address'],
    [RESERVED, 'not_routable'],
    [NAMES, 'host_not_allowed'],
  ]
  const expected = Object.fromEntries(
    said.flatMap(([hosts, reason]) => hosts.map((host) => [`https://${host}/`, ['FAILED', reason]])),
  )
  expect(await logOf(Object.keys(expected), { isLoopbackAllowed: false })).toEqual(expected)
})

test('names that lead to such addresses, also to one among public ones', async () => {
  const LEADS: [name: string, addresses: string[], reason: string][] = [
    ['loopback.example.com', ['127.0.0.1'], 'private_address'],
    ['private.example.com', ['192.168.0.9'], 'private_address'],
    ['metadata.example.com', ['169.254.169.254'], 'private_address'],
    ['carrier.example.com', ['100.100.0.1'], 'private_address'],
    ['mapped.example.com', ['::ffff:10.0.0.1'], 'private_address'],
    ['nat64.example.com', ['64:ff9b::a00:1'], 'private_address'],
    ['6to4.example.com', ['2002:a00:1::1'], 'private_address'],
    ['unique-local.example.com', ['fd12::1'], 'private_address'],
    ['mixed.example.com', ['93.184.216.34', '10.0.0.1'], 'private_address'],
    ['nobody.example.com', [], 'unresolvable'],
  ]
  const urls = LEADS.map(([name]) => `https://${name}/`)
  const hosts = Object.fromEntries(LEADS.map(([name, addresses]) => [name, [addresses]]))
  const expected = Object.fromEntries(LEADS.map(([name, , reason]) => [`https://${name}/`, ['FAILED', reason]]))
  expect(await logOf(urls, { isLoopbackAllowed: false, hosts })).toEqual(expected)
})

test('a name that leads elsewhere after the check is called where it was checked', async () => {
  const arrived: string[] = []
  const port = await listen((socket) => {
    arrived.push('called')
    socket.end('HTTP/1.1 204 No Content\r\n\r\n')
  })
  // A second look-up would find a private address, and a call to it would be refused.
  const hosts = { localhost: [['127.0.0.1'], ['10.0.0.1']] }
  const url = `http://localhost:${port}/`
  expect(await logOf([url], { isLoopbackAllowed: true, hosts })).toEqual({ [url]: ['SUCCEEDED', 204] })
  expect([arrived, hosts.localhost]).toEqual([['called'], [['10.0.0.1']]])
})
