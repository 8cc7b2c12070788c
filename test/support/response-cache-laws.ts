import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createClient } from '@libsql/client'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import Database from 'libsql'
import postgres from 'postgres'
import { createApp } from '../../src/app'
import type { Context } from '../../src/base/context'
import { createContext } from '../../src/create-context'
import { MONTHLY, type Stage } from './cast'
import { untilWatching } from './context'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED, WITH_DATABASE } from './laws'
import { configure } from './remote'

// The response cache against no cache. In the process that writes, no answer is older than the write. Changes by
// another process and by hand are in the answers within two seconds (wire 1.7).

interface Process {
  ctx: Context
  handle(request: Request): Promise<Response>
}

const PATHS = ['/v1/me', '/v1/me/entitlements', '/v1/me/access', '/v1/config']

type Kind = 'attribute' | 'purchase' | 'label' | 'row' | 'all' | 'script'

interface Change {
  by: 'own' | 'far' | 'hand'
  kind: Kind
  device: number
  value: number
}

const attributes = (value: number) => JSON.stringify({ n: { value: String(value), source: 'sdk', updatedAt: 0 } })

function statement(kind: Kind, device: string, value: number): string {
  if (kind === 'all') return `update subscribers set attributes = '${attributes(value)}'`
  if (kind === 'purchase') return 'update purchases set subscriber_id = subscriber_id'
  if (kind === 'label') return `update subscribers set app_user_id = null where device_key = '${device}'`
  return `update subscribers set attributes = '${attributes(value)}' where device_key = '${device}'`
}

const change: fc.Arbitrary<Change> = fc.record({
  by: fc.constantFrom('own', 'far', 'hand'),
  kind: fc.constantFrom('attribute', 'purchase', 'label', 'row', 'all', 'script'),
  device: fc.nat(2),
  value: fc.nat(9),
})

/** Of the clock of the server. */
const WITHIN_MS = 2000
/** On PostgreSQL the notification of a change arrives in real time, which no clock of the test moves. */
const HANGS_AFTER_MS = 60_000

/** A program that knows nothing of svc. */
function openByHand(s: Stage) {
  const { database } = s.ctx.config
  if (database.kind === 'postgres') {
    const client = postgres(database.url, { max: 1, onnotice: () => {} })
    return { run: (statement: string) => client.unsafe(statement), close: () => client.end() }
  }
  if (database.kind === 'remote') {
    const client = createClient({ url: database.url })
    return { run: (statement: string) => client.execute(statement), close: async () => client.close() }
  }
  const client = new Database(database.kind === 'file' ? database.path : '', { timeout: 5000 } as Database.Options)
  return { run: async (statement: string) => client.exec(statement), close: async () => void client.close() }
}

/** Registers the laws for the database of the stage that `open` gives. */
export function testResponseCache(open: () => Promise<Stage>): void {
  let s: Stage
  /** Another process on the same database, and one that keeps no answers. */
  let far: Process
  let plain: Process
  let own: Process
  let byHand: { run(statement: string): Promise<unknown>; close(): Promise<void> }

  beforeAll(async () => {
    s = await open()
    own = { ctx: s.ctx, handle: (request) => s.app.handle(request) }
    far = await openProcess()
    plain = await openProcess()
    byHand = openByHand(s)
    await configure(s, { flags: [{ key: 'tr', rules: [{ conditions: { n: { $gte: '5' } }, value: true }] }] })
    await Promise.all([own, far].map(({ ctx }) => untilWatching(ctx)))
  })
  afterAll(async () => {
    await byHand.close()
    await far.ctx.close()
    await plain.ctx.close()
    await s.close()
  })

  async function openProcess(): Promise<Process> {
    const ctx = await createContext(s.ctx.config, { clock: s.ctx.clock })
    const app = createApp(ctx)
    return { ctx, handle: (request) => app.handle(request) }
  }

  async function ask(on: Process, method: string, path: string, device: string, body?: object): Promise<string> {
    const headers = {
      authorization: `Bearer ${s.project.publicKey}`,
      'x-svc-app-user-id': device,
      'x-svc-user-id': device,
      ...(body && { 'content-type': 'application/json' }),
    }
    const response = await on.handle(
      new Request(`http://localhost${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
    )
    if (response.status >= 400) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.text()
  }

  const readAll = (on: Process, devices: readonly string[]): Promise<string[]> =>
    Promise.all(devices.flatMap((device) => PATHS.map((path) => ask(on, 'GET', path, device))))

  async function truth(devices: readonly string[]): Promise<string[]> {
    await new Promise(setImmediate) // Another process sees a commit from its next turn of the event loop on.
    plain.ctx.state.responseCache.clear()
    return readAll(plain, devices)
  }

  const BY_SVC: Record<Kind, (on: Process, device: string, value: number) => Promise<unknown>> = {
    attribute: (on, device, value) =>
      ask(on, 'POST', `/v1/subscribers/${device}/attributes`, device, { attributes: { n: String(value) } }),
    purchase: (on, device) => {
      const body = { receipt: s.sign(s.buy(MONTHLY)), appUserId: device, productId: 'pro_monthly' }
      return ask(on, 'POST', '/v1/receipts/ios', device, body)
    },
    label: (on, device, value) =>
      ask(on, 'POST', '/v1/identify', device, { deviceKey: device, appUserId: `${device.split(' ')[0]}-${value % 2}` }),
    row: ({ ctx }, device, value) =>
      ctx.write(({ db, tables: { subscribers: t } }) =>
        db
          .update(t)
          .set({ attributes: JSON.parse(attributes(value)) })
          .where(eq(t.deviceKey, device)),
      ),
    all: ({ ctx }, _device, value) =>
      ctx.write((tx) => tx.db.update(tx.tables.subscribers).set({ attributes: JSON.parse(attributes(value)) })),
    script: ({ ctx }, device, value) => ctx.storage.runScript([statement('row', device, value)]),
  }

  let lives = 0
  const newDevices = (): string[] => {
    lives++
    return [0, 1, 2].map((index) => `law-${lives}-${index}`)
  }

  async function expectSoon(on: Process, devices: readonly string[]): Promise<void> {
    const wanted = await truth(devices)
    const isFile = s.ctx.storage.driver === 'file'
    const startedAt = performance.now()
    for (let passedMs = 10; ; passedMs += 10) {
      s.ctx.clock.advance(10) // On a file, the cache looks for changes by others every 10 ms.
      const found = await readAll(on, devices)
      if (Bun.deepEquals(found, wanted)) return
      const isLate = isFile ? passedMs >= WITHIN_MS : performance.now() - startedAt > HANGS_AFTER_MS
      if (isLate) expect(found).toEqual(wanted)
      await Bun.sleep(1)
    }
  }

  test(
    `one change after the other is in the answers ${SEEDED}`,
    async () => {
      await checkLawAsync(
        fc.array(change, { minLength: 2, maxLength: 8 }),
        async (changes) => {
          const devices = newDevices()
          await readAll(own, devices) // Creates the subscribers.
          for (const { by, kind, device, value } of changes) {
            for (const on of [own, far]) await readAll(on, devices) // Now all answers are kept.
            const name = devices[device] ?? ''
            if (by === 'hand') await byHand.run(statement(kind, name, value))
            else await BY_SVC[kind](by === 'own' ? own : far, name, value)
            const writer = by === 'own' ? own : by === 'far' ? far : null
            if (writer) expect(await readAll(writer, devices)).toEqual(await truth(devices))
            for (const on of [own, far]) await expectSoon(on, devices)
          }
        },
        WITH_DATABASE,
      )
    },
    LAW_PATIENCE_MS,
  )

  test('while answers are being made, none is kept that was made before the change', async () => {
    const [device = ''] = newDevices()
    await BY_SVC.attribute(own, device, 0)
    const seen = new Map<Process, number>()
    const counted = async (on: Process) => {
      s.ctx.clock.advance(10)
      const body = JSON.parse(await ask(on, 'GET', '/v1/me', device))
      return Number(body.data.subscriber.attributes.n.value ?? body.data.subscriber.attributes.n)
    }
    let written = 0
    let isDone = false
    const reader = async (on: Process) => {
      while (!isDone) {
        const before = written
        const found = await counted(on)
        if (on === own) expect(found).toBeGreaterThanOrEqual(before)
        seen.set(on, Math.max(seen.get(on) ?? 0, found))
        await Bun.sleep(0)
      }
    }
    const readers = [own, own, own, far, far].map(reader)
    for (let value = 1; value <= 60; value++) {
      await BY_SVC.attribute(own, device, value)
      written = value
      expect(await counted(own)).toBe(value)
    }
    isDone = true
    await Promise.all(readers)
    await expectSoon(far, [device])
    expect([await counted(own), await counted(far)]).toEqual([60, 60])
  }, 120_000)
}
