import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { isUniqueViolation } from '../../src/base/db/errors'
import type { Db, Handle, Storage, TransactionHandle } from '../../src/base/db/handle'
import { MIGRATIONS } from '../../src/base/db/migrations'
import { openPostgres } from '../../src/base/db/postgres'
import { prepared } from '../../src/base/db/prepared'
import { makeTables } from '../../src/base/db/tables'
import { createWrite } from '../../src/base/db/write'
import { tablesOf } from '../../src/create-context'
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres-server'

describe.skipIf(postgresMissing() !== null)('statements on PostgreSQL', () => {
  let server: PostgresServer
  let storage: Storage
  const open = (isPreparing: boolean): Storage =>
    openPostgres(server.url, makeTables('postgres', tablesOf()), MIGRATIONS.postgres, { isPreparing })

  beforeAll(async () => {
    server = await startPostgres(['log_statement=all'])
    storage = open(true)
    await storage.runScript(['CREATE TABLE svc_migrations (tag text PRIMARY KEY NOT NULL, hash text NOT NULL)'])
  })
  afterEach(async () => {
    await storage.close()
    storage = open(true)
  })
  afterAll(async () => {
    await storage.close()
    await server.stop()
  })

  const run = (db: Db, statement: ReturnType<typeof sql>): Promise<Record<string, unknown>[]> =>
    (db as unknown as { execute(statement: unknown): Promise<Record<string, unknown>[]> }).execute(statement)

  const byTag = (handle: Handle, tag: string) =>
    prepared(handle, 'test.byTag', ({ db, tables: { migrations: m } }) =>
      db
        .select()
        .from(m)
        .where(sql`${m.tag} = ${sql.placeholder('tag')}`)
        .prepare(),
    ).execute({ tag })

  const writeTo = (to: Storage) =>
    createWrite<TransactionHandle>(to, { begin: (handle) => handle, committed: () => {} })

  /** The lines that the server logs about statements with this text while the work runs. */
  async function logged(text: string, work: () => Promise<unknown>): Promise<string[]> {
    const from = readFileSync(server.log, 'utf8').length
    await work()
    const lines = () => readFileSync(server.log, 'utf8').slice(from).split('\n')
    const end = `end of ${from}`
    await run(storage.db, sql.raw(`select '${end}'`))
    while (!lines().some((line) => line.includes(end))) await Bun.sleep(5)
    return lines().filter((line) => /LOG: +(execute|statement)/.test(line) && line.includes(text))
  }

  const isNamed = (line: string) => !/execute <unnamed>|LOG: +statement/.test(line)

  test('whose text comes again are prepared, each connection once, in transactions too', async () => {
    const write = writeTo(storage)
    const texts = new Set<string>()
    const lines = await logged('"tag" = $1', async () => {
      for (let index = 0; index < 20; index++) {
        await byTag(storage, 'a')
        await write(async (tx) => void texts.add(String((await byTag(tx, 'a')).length)))
      }
    })
    expect(lines.length).toBe(40)
    expect(lines.filter((line) => !isNamed(line)).length).toBe(1) // The first use of the text.
  })

  test('are built once for all transactions', async () => {
    const write = writeTo(storage)
    let built = 0
    const count = (handle: Handle) =>
      prepared(handle, 'test.built', ({ db, tables: { migrations: m } }) => {
        built++
        return db.select().from(m).prepare()
      }).execute()
    for (let index = 0; index < 5; index++)
      await write(async (tx) => void (await storage.savepoint(tx, async (inner) => void (await count(inner)))))
    expect(built).toBe(1)
  })

  test('run in the transaction that asks for them, and are rolled back with it', async () => {
    const write = writeTo(storage)
    const insert = (handle: Handle, tag: string) =>
      prepared(handle, 'test.insert', ({ db, tables: { migrations: m } }) =>
        db
          .insert(m)
          .values({ tag: sql.placeholder('tag') as never, hash: 'x' })
          .prepare(),
      ).execute({ tag })
    const failing = write(async (tx) => {
      await insert(tx, 'lost')
      expect(await byTag(tx, 'lost')).toHaveLength(1)
      expect(await byTag(storage, 'lost')).toHaveLength(0)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await write(async (tx) => {
      const inner = storage.savepoint(tx, async (handle) => {
        await insert(handle, 'inner')
        throw new Error('only this')
      })
      await expect(inner).rejects.toThrow('only this')
      await insert(tx, 'kept')
    })
    expect([await byTag(storage, 'lost'), await byTag(storage, 'inner')]).toEqual([[], []])
    expect(await byTag(storage, 'kept')).toHaveLength(1)
  })

  test('are not prepared where the setting says so', async () => {
    const plain = open(false)
    const write = writeTo(plain)
    const all = await logged('', async () => {
      for (let index = 0; index < 5; index++) {
        await byTag(plain, 'a')
        await write(async (tx) => void (await byTag(tx, 'a')))
      }
    })
    await plain.close()
    expect(all.length).toBeGreaterThan(20)
    expect(all.filter(isNamed)).toEqual([])
  })

  describe('that are not waited for', () => {
    const insert = (handle: Handle, tag: string) =>
      handle.db.insert(handle.tables.migrations).values({ tag, hash: 'x' }) as unknown as Promise<unknown>
    const tags = async () => (await storage.db.select().from(storage.tables.migrations)).map(({ tag }) => tag)

    test('make their transaction fail, with the first failure, and nothing is kept', async () => {
      await storage.transaction((tx) => insert(tx, 'taken'))
      const before = await tags()
      const works: ((tx: TransactionHandle) => Promise<unknown>)[] = [
        async (tx) => {
          await insert(tx, 'new 1')
          await insert(tx, 'taken')
        },
        async (tx) => {
          await insert(tx, 'taken')
          await insert(tx, 'new 2')
          await byTag(tx, 'taken')
        },
        async (tx) => {
          for (let index = 0; index < 120; index++) await insert(tx, `many ${index}`)
          await insert(tx, 'taken')
          for (let index = 120; index < 240; index++) await insert(tx, `many ${index}`)
        },
        async (tx) => {
          await insert(tx, 'taken')
          await storage.savepoint(tx, (inner) => insert(inner, 'new 3')).catch(() => {})
        },
      ]
      for (const work of works) {
        const failure = await storage.transaction(work).catch((error: Error) => error)
        expect(isUniqueViolation(failure)).toBe(true)
        expect(String(failure)).toContain('params: taken,x') // The statement that failed, not one behind it.
      }
      expect(await tags()).toEqual(before)
    })

    test('in a savepoint undo only the savepoint', async () => {
      await storage.transaction((tx) => insert(tx, 'held'))
      await storage.transaction(async (tx) => {
        await insert(tx, 'outer 1')
        const last = storage.savepoint(tx, async (inner) => {
          await insert(inner, 'inner 1')
          await insert(inner, 'held')
        })
        expect(isUniqueViolation(await last.catch((error) => error))).toBe(true)
        const first = storage.savepoint(tx, async (inner) => {
          await insert(inner, 'held')
          await byTag(inner, 'held')
        })
        expect(isUniqueViolation(await first.catch((error) => error))).toBe(true)
        await insert(tx, 'outer 2')
      })
      const all = await tags()
      expect(['outer 1', 'outer 2', 'inner 1'].map((tag) => all.includes(tag))).toEqual([true, true, false])
    })

    test('are all there after the commit, in the order in which they were sent', async () => {
      await storage.runScript(['CREATE TABLE ordered (place bigserial, value bigint)'])
      await storage.transaction(async ({ db }) => {
        for (let value = 0; value < 300; value++) {
          await run(db, sql`insert into ordered (value) values (${value})`)
          if (value % 37 === 0) await run(db, sql`select 1`)
        }
      })
      const rows = await run(storage.db, sql`select value from ordered order by place`)
      expect(rows.map(({ value }) => Number(value))).toEqual(Array.from({ length: 300 }, (_, value) => value))
    })

    test('a lock holds before the next statement reads', async () => {
      await storage.runScript(['CREATE TABLE counted (value bigint)', 'INSERT INTO counted VALUES (0)'])
      const count = () =>
        storage.transaction(async (tx) => {
          await tx.lock('counted')
          const [row] = await run(tx.db, sql`select value from counted`)
          await run(tx.db, sql`update counted set value = ${Number(row?.value) + 1}`)
        })
      await Promise.all(Array.from({ length: 100 }, count))
      expect((await run(storage.db, sql`select value from counted`))[0]?.value).toBe('100')
    })
  })

  let turn = 0
  /** Does the work on every connection of the pool. */
  const everywhere = (work: (handle: Handle) => Promise<unknown>) =>
    Promise.all(
      Array.from({ length: 10 }, () =>
        storage.transaction(async (tx) => {
          await work(tx)
          await run(tx.db, sql.raw(`select pg_sleep(0.05) as turn_${++turn}`)) // Meanwhile the others begin.
        }),
      ),
    )

  test('that another process has made outdated run again, and true stays true', async () => {
    await storage.runScript(['CREATE TABLE outdated (id bigint, is_true boolean, value bigint)'])
    const note = (handle: Handle) => run(handle.db, sql`insert into outdated values (1, ${true}, 1) returning *`)
    const write = writeTo(storage)
    for (let index = 0; index < 3; index++) await everywhere(note)
    for (const type of ['text', 'bigint using value::bigint']) {
      await run(storage.db, sql.raw(`alter table outdated alter column value type ${type}`))
      await Promise.all(Array.from({ length: 30 }, () => note(storage)))
      await Promise.all(Array.from({ length: 30 }, () => write((tx) => note(tx))))
      await run(storage.db, sql.raw('alter table outdated add column more text'))
      await Promise.all(Array.from({ length: 30 }, () => write((tx) => note(tx))))
      await run(storage.db, sql.raw('alter table outdated drop column more'))
    }
    const [row] = await run(
      storage.db,
      sql`select count(*) as all, count(*) filter (where is_true) as right from outdated`,
    )
    expect(row).toEqual({ all: '210', right: '210' })
  })

  test.each([
    ['outside a transaction', () => byTag(storage, 'a')],
    ['in a transaction', () => writeTo(storage)((tx) => byTag(tx, 'a'))],
  ])('that the server no longer has run again: %s', async (_name, read) => {
    for (let round = 0; round < 2; round++) await everywhere((handle) => byTag(handle, 'a'))
    await everywhere(({ db }) => run(db, sql.raw('deallocate all')))
    const results = await Promise.all(Array.from({ length: 30 }, read))
    expect(results.flat()).toEqual([])
  })
})
