import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openSqliteFile } from '../../src/base/db/sqlite-file'
import { makeTables } from '../../src/base/db/tables'
import { MAX_INT64 } from '../../src/base/lib/int64'
import { tablesOf } from '../../src/create-context'
import {
  at,
  type Bench,
  backupBench,
  book,
  eventOf,
  linesOf,
  portableContentOf,
  svc,
  withDatabase,
} from '../support/backup'
import { MONTHLY, type Stage, stage } from '../support/cast'
import type { TestContext } from '../support/context'
import { postgresMissing, startPostgres } from '../support/postgres-server'
import { tempFolder } from '../support/process'
import { hasSqld, startSqld } from '../support/sqld'

interface Server {
  url: string
  stop(): Promise<unknown>
}

const sqld = async (): Promise<Server> => {
  const { url, kill } = await startSqld()
  return { url, stop: kill }
}
const embedded = async (): Promise<Server> => {
  const { path, remove } = tempFolder()
  return { url: `file:${path}/svc.db`, stop: async () => remove() }
}
const DRIVERS: [name: string, missing: string | null, start: () => Promise<Server>][] = [
  ['a file', null, embedded],
  ['a libSQL server', hasSqld() ? null : 'sqld is not installed', sqld],
  ['PostgreSQL', postgresMissing(), startPostgres],
]

for (const [name, missing, start] of DRIVERS)
  describe.skipIf(missing !== null)(missing === null ? name : `${name} (skipped: ${missing})`, () => {
    let bench: Bench
    let server: Server
    let env: Record<string, string>
    beforeAll(async () => {
      bench = await backupBench()
      server = await start()
      env = { SVC_DATABASE_URL: server.url }
      expect(await svc(['restore', bench.file], env)).toMatchObject({ code: 0, err: '' })
    })
    afterAll(async () => {
      await server.stop()
      await bench.close()
    })

    test('there and back again is the same data', async () => {
      const copy = await bench.backUp(env)
      expect(portableContentOf(copy)).toEqual(portableContentOf(bench.file))
      const folder = bench.fresh('back')
      expect((await svc(['restore', copy], at(folder))).code).toBe(0)
      expect(portableContentOf(await bench.backUp(at(folder)))).toEqual(portableContentOf(bench.file))
    })

    test('a balance of 64 bits keeps its digits, in the ledger and in its event', async () => {
      const lines = linesOf(await bench.backUp(env))
      const found = (table: string) => lines.filter((line) => line.startsWith(`{"t":"${table}"`)).join('\n')
      expect(found('ledger')).toContain(`"amount":${MAX_INT64},"balance":${MAX_INT64},`)
      expect(found('balances')).toContain(`"balance":${MAX_INT64},`)
      expect(found('events')).toMatch(new RegExp(`balances[\\\\": {]+gems[\\\\": ]+${MAX_INT64}}`))
      expect(found('events')).not.toContain('9223372036854775808')
    })

    test('a second restore is refused', async () => {
      expect((await svc(['restore', bench.file], env)).err).toContain('it has projects already')
    })

    test('what is restored works: booleans, JSON, serial keys and the guard of the ledger', async () => {
      await withDatabase(env, async (ctx) => {
        const { events, ledger, products } = ctx.tables
        const positions = (await ctx.db.select().from(events)).map(({ position }) => position)
        const [made] = await ctx.write((tx) => tx.db.insert(events).values(eventOf('new')).returning())
        expect(made?.position).toBe(Math.max(...positions) + 1)
        const found = await ctx.db.select().from(products)
        expect(found.map(({ isActive, metadata }) => [isActive, metadata])).toEqual(found.map(() => [true, {}]))
        await expect(ctx.write((tx) => tx.db.update(ledger).set({ amount: 0n }))).rejects.toThrow()
      })
    })
  })

for (const [name, missing, start] of DRIVERS)
  test.skipIf(missing !== null)(`a backup of ${name} is one moment of it while writes go on`, async () => {
    const temp = tempFolder()
    const server = await start()
    const s = await stage({ env: { SVC_DATABASE_URL: server.url } })
    try {
      const path = join(temp.path, 'busy.gz')
      const written = await writeWhile(s, () => svc(['backup', path], { SVC_DATABASE_URL: server.url }))
      expect(await svc(['restore', path], at(temp.path))).toMatchObject({ code: 0, err: '' })
      const { rows, sums, balances } = await readLedgers(temp.path)
      expect(sums).toEqual(balances)
      expect(rows).toBeLessThan(written)
    } finally {
      await s.close()
      await server.stop()
      temp.remove()
    }
  })

/** Books into twenty ledgers at once until the work is done, at least 200 entries; returns their number. */
async function writeWhile(s: Stage, work: () => Promise<{ code: number }>): Promise<number> {
  const buyers = Array.from({ length: 20 }, (_, n) => s.receipt(`svc_${n}`, s.buy(MONTHLY)))
  const ids: string[] = (await Promise.all(buyers)).map(({ body }) => body.data.subscriber.id)
  await fillEvents(s.ctx)
  let written = 0
  const bookAll = () =>
    Promise.all(ids.map((id) => s.ctx.write((tx) => book(tx, s.project.id, id, 1 + (written++ % 7)))))
  await bookAll()
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  while (!isDone || written < 200) {
    await bookAll()
    // The embedded database answers without an iteration of the event loop, so this lets other work run.
    await Bun.sleep(0)
  }
  expect((await done).code).toBe(0)
  return written
}

/** Megabytes of rows between the tables of balances and ledger, so that many writes happen between reading the two. */
async function fillEvents(ctx: TestContext): Promise<void> {
  for (let batch = 0; batch < 20; batch++) {
    const rows = Array.from({ length: 50 }, (_, n) => eventOf(`evt_${batch}_${n}`, { noise: ctx.ids.token(4000) }))
    await ctx.write((tx) => tx.db.insert(ctx.tables.events).values(rows))
  }
}

/** The sum of the ledger and the balance, by subscriber. */
async function readLedgers(folder: string) {
  const storage = openSqliteFile(join(folder, 'svc.db'), makeTables('sqlite', tablesOf()))
  const { ledger, balances } = storage.tables
  const rows = await storage.db.select().from(ledger)
  const sums: Record<string, bigint> = {}
  for (const { subscriberId, amount } of rows) sums[subscriberId] = (sums[subscriberId] ?? 0n) + amount
  const held = await storage.db.select().from(balances)
  await storage.close()
  return { rows: rows.length, sums, balances: Object.fromEntries(held.map((row) => [row.subscriberId, row.balance])) }
}
