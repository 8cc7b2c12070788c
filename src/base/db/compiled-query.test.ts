import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, asc, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { Storage } from './handle'
import { sqliteKit as k } from './kit'
import { preparedRows } from './prepared'
import { openSqliteFile } from './sqlite-file'
import { makeTables } from './tables'

const SEED = 20261122

/** A table with every kind of column, and a second one to join. */
const things = k.table('things', {
  id: k.str().primaryKey(),
  count: k.int(),
  isGood: k.bool(),
  ratio: k.num(),
  detail: k.json<unknown>(),
  label: k.str(),
})
const owners = k.table('owners', { thingId: k.str().primaryKey(), name: k.str() })

let folder: string
let storage: Storage
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-compiled-'))
  storage = openSqliteFile(join(folder, 'a.db'), makeTables('sqlite', []), [])
  await storage.runScript([
    'CREATE TABLE things (id text PRIMARY KEY, count integer, is_good integer, ratio real, detail text, label text)',
    'CREATE TABLE owners (thing_id text PRIMARY KEY, name text)',
  ])
})
afterAll(async () => {
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
})

const one = sql.placeholder('id')
const queries = () => {
  const { db } = storage
  const joined = db
    .select({ id: things.id, name: owners.name })
    .from(things)
    .leftJoin(owners, eq(owners.thingId, things.id))
  return {
    'every column': db.select().from(things).where(eq(things.id, one)),
    'one row of a limit of one': db.select().from(things).where(eq(things.id, one)).limit(1),
    'all rows in order': db.select().from(things).orderBy(asc(things.id)),
    'members of its own': db
      .select({
        n: things.count,
        twice: sql<number>`${things.count} * 2`,
        text: sql<string>`${things.count}`.mapWith(String),
      })
      .from(things),
    'a name for an expression': db.select({ total: sql<number>`count(*)`.mapWith(Number).as('total') }).from(things),
    'a join with a row missing': joined.where(eq(things.id, one)),
    'objects within': db.select().from(things).leftJoin(owners, eq(owners.thingId, things.id)),
    'a condition of two values': db
      .select({ id: things.id })
      .from(things)
      .where(and(eq(things.id, one), eq(things.count, sql.placeholder('count')))),
  }
}

const json = fc.option(fc.jsonValue())
const row = fc.record({
  id: fc.string({ minLength: 1, maxLength: 3 }),
  count: fc.option(fc.maxSafeInteger()),
  isGood: fc.option(fc.boolean()),
  ratio: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  detail: json,
  label: fc.option(fc.string()),
})

test('a prepared query returns what drizzle returns without preparing it', async () => {
  const law = async (rows: (typeof things.$inferInsert)[]) => {
    await storage.transaction(async ({ db }) => {
      await db.delete(things)
      await db.delete(owners)
      for (const each of rows) await db.insert(things).values(each)
      if (rows[0]) await db.insert(owners).values({ thingId: rows[0].id, name: 'an owner' })
    })
    const values = { id: rows.at(-1)?.id ?? 'none', count: rows.at(-1)?.count ?? 0 }
    for (const [name, query] of Object.entries(queries())) {
      // `all` takes drizzle's own way, `execute` the compiled one.
      const prepared = query.prepare()
      expect([name, await prepared.execute(values)]).toEqual([name, await prepared.all(values)])
    }
  }
  const rows = fc.uniqueArray(row, { maxLength: 5, selector: ({ id }) => id })
  await fc.assert(fc.asyncProperty(rows, law), { seed: SEED, numRuns: 60 })
})

test('a prepared insert writes what it writes without preparing it', async () => {
  const law = async (values: typeof things.$inferInsert) => {
    const rows = preparedRows([values])
    const written = await storage.transaction(async ({ db }) => {
      await db.delete(things)
      await db.insert(things).values(values)
      const plain = await db.select().from(things)
      await db.delete(things)
      const insert = db.insert(things).values(rows.values()).returning().prepare()
      const returned = await insert.execute(rows.params)
      return { plain, returned, stored: await db.select().from(things) }
    })
    expect([written.returned, written.stored]).toEqual([written.plain, written.plain])
  }
  await fc.assert(fc.asyncProperty(row, law), { seed: SEED, numRuns: 60 })
})

test('a prepared query that fails says so as drizzle does', async () => {
  const missing = storage.db
    .select()
    .from(k.table('nowhere', { id: k.str() }))
    .prepare()
  const failure = await missing.execute().catch((error: unknown) => error)
  expect(failure).toMatchObject({ query: 'select "id" from "nowhere"', params: [], cause: { code: 'SQLITE_ERROR' } })
  const query = storage.db.select().from(things).where(eq(things.id, one)).prepare()
  await expect(query.execute({})).rejects.toThrow('No value for placeholder "id" was provided')
})
