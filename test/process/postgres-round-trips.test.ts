import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, createServer, type Server } from 'node:net'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { untilWatching } from '../support/context'
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres-server'

// How often a hot route waits for PostgreSQL, when its statements are prepared, and how many statements it sends. Each
// wait costs the way to the server, and each statement costs both sides.

describe.skipIf(postgresMissing() !== null)('round trips to PostgreSQL', () => {
  let server: PostgresServer
  let proxy: Server
  let s: Stage
  let trips = 0
  let statements = 0
  const before = { ...process.env }

  beforeAll(async () => {
    server = await startPostgres()
    const url = new URL(server.url)
    proxy = await startCounting(Number(url.port))
    const address = proxy.address()
    url.port = String(typeof address === 'object' && address?.port)
    Object.assign(process.env, { SVC_TEST_DIALECT: 'postgres', SVC_TEST_POSTGRES_URL: url.toString() })
    s = await stage()
    await untilWatching(s.ctx)
  })
  afterAll(async () => {
    await s.close()
    for (const name of ['SVC_TEST_DIALECT', 'SVC_TEST_POSTGRES_URL']) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
    proxy.close()
    await server.stop()
  })

  /** A proxy that counts how often a client sends after the server has answered. */
  async function startCounting(port: number): Promise<Server> {
    const counting = createServer((client) => {
      const to = connect(port, '127.0.0.1')
      let isAnswered = true
      client.on('data', (bytes) => {
        const isOwn = bytes.includes('beat ') || bytes.includes('svc_tell') || bytes.includes('"revisions"')
        if (isAnswered && !isOwn) trips++
        if (!isOwn) statements += statementsIn(Buffer.from(bytes))
        isAnswered = false
        to.write(bytes)
      })
      to.on('data', (bytes) => {
        isAnswered = true
        client.write(bytes)
      })
      for (const side of [client, to])
        side
          .on('error', () => {})
          .on('close', () => {
            client.destroy()
            to.destroy()
          })
    })
    await new Promise<void>((resolve) => counting.listen(0, '127.0.0.1', resolve))
    return counting
  }

  // One statement of each counts its events for the usage of the project, in the same transaction.
  let turn = 0
  const routes: [name: string, trips: number, statements: number, request: () => Promise<{ status: number }>][] = [
    [
      'a booking',
      7,
      12,
      () => {
        const path = '/v1/virtual-currencies/ada/coins/transactions'
        return s.post(path, { amount: 5, idempotencyKey: `key ${++turn}` }, { key: s.project.secretKey })
      },
    ],
    ['a new receipt of a new device', 9, 16, () => s.receipt(`svc_new_${++turn}`, s.buy(MONTHLY))],
    ['a new receipt of a known device', 8, 16, () => s.receipt(`svc_known_${++turn % 30}`, s.buy(MONTHLY))],
    ['a configuration that is kept', 0, 0, () => s.get('/v1/config?subscriberId=svc_a')],
    ['a configuration that is not kept', 1, 1, () => s.get(`/v1/config?subscriberId=svc_a&turn=${++turn}`)],
    ['entitlements that are kept', 0, 0, () => s.get('/v1/me/entitlements', 'svc_a')],
  ]

  test.each(routes)('%s: at most %d, with %d statements', async (_name, most, mostStatements, request) => {
    await s.post('/v1/identify', { deviceKey: 'svc_a', appUserId: 'ada' })
    // Every statement is used twice on every connection of the pool.
    for (let round = 0; round < 4; round++) await Promise.all(Array.from({ length: 30 }, request))
    for (let round = 0; round < 30; round++) await request()
    const counts: [trips: number, statements: number][] = []
    for (let round = 0; round < 9; round++) {
      await untilWatching(s.ctx) // What is kept is used only while changes by other processes are heard of.
      trips = 0
      statements = 0
      expect((await request()).status).toBe(200)
      counts.push([trips, statements])
    }
    // The server may do other work of its own at the same time, which only adds to what a request needs.
    const least = (place: 0 | 1) => Math.min(...counts.map((one) => one[place]))
    expect(least(0)).toBeLessThanOrEqual(most)
    expect(least(1)).toBeLessThanOrEqual(mostStatements)
  })
})

/** The messages of the protocol that execute a statement: `Execute` of a prepared one, and `Query`. */
function statementsIn(bytes: Buffer): number {
  let count = 0
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const kind = String.fromCharCode(bytes[at] ?? 0)
    if (kind === 'E' || kind === 'Q') count++
    if (bytes.readInt32BE(at + 1) < 4) break // The first message of a connection has no kind.
  }
  return count
}
