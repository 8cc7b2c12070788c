import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import postgres, { type Sql } from 'postgres'
import type { RowChange } from '../../src/base/db/change-listener'
import type { Db, Storage } from '../../src/base/db/handle'
import { MIGRATIONS } from '../../src/base/db/migrations'
import { openPostgres } from '../../src/base/db/postgres'
import { makeTables } from '../../src/base/db/tables'
import { tablesOf } from '../../src/create-context'
import { SILENCE_MS } from '../support/postgres'
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres-server'
import { type ProxyServer, startProxy } from '../support/proxy'

describe.skipIf(postgresMissing() !== null)('changes of rows on PostgreSQL', () => {
  let server: PostgresServer
  let proxy: ProxyServer
  /** The storage that listens, through the proxy. */
  let listening: Storage
  /** Another process. */
  let writing: Storage
  /** A program that knows nothing of svc. */
  let psql: Sql
  let seen: RowChange[]
  let told: RowChange[]

  const open = (url: string, into: () => RowChange[], isListening = true): Storage => {
    const abilities = { isListening, silenceMs: SILENCE_MS }
    const storage = openPostgres(url, makeTables('postgres', tablesOf()), MIGRATIONS.postgres, abilities)
    storage.changes?.listen({
      tables: ['notes'],
      changeOf: (text, args) => (text.includes('other') ? 'NOBODY' : args.length > 0 ? args.map(String) : 'ANYBODY'),
      changed: (change) => void into().push(change),
      changing() {},
      ended() {},
    })
    return storage
  }

  beforeAll(async () => {
    server = await startPostgres()
    psql = postgres(server.url, { max: 1, onnotice: () => {} })
    await psql.unsafe('create table notes (id text)')
    await psql.unsafe('create table other (id text)')
    const url = new URL(server.url)
    proxy = await startProxy(Number(url.port))
  })
  beforeEach(async () => {
    seen = []
    told = []
    const url = new URL(server.url)
    url.port = String(proxy.port)
    listening = open(url.toString(), () => seen)
    writing = open(server.url, () => told)
    await untilWatching()
    seen.length = 0
  })
  afterEach(async () => {
    await listening.close()
    await writing.close()
  })
  afterAll(async () => {
    await psql.end()
    await proxy.leave()
    await server.stop()
  })

  const isWatching = () => listening.changes?.isWatching?.() === true
  async function until(isSo: () => unknown, ms = 60_000): Promise<void> {
    for (const end = performance.now() + ms; performance.now() < end; await Bun.sleep(2)) if (isSo()) return
    throw new Error('it did not happen in time')
  }
  const untilWatching = () => until(isWatching)
  const run = (db: Db, statement: ReturnType<typeof sql>): Promise<Record<string, unknown>[]> =>
    (db as unknown as { execute(statement: unknown): Promise<Record<string, unknown>[]> }).execute(statement)
  const note = (db: Db, id: string) => run(db, sql`insert into notes values (${id})`)
  /** Everything that was committed so far has arrived when this change has. */
  async function untilAllSeen(): Promise<void> {
    const id = `last ${performance.now()}`
    await writing.transaction(({ db }) => note(db, id))
    await until(() => seen.flat().includes(id))
    seen.splice(seen.findIndex((change) => change.includes(id)))
  }

  test('by another process name their rows, once for each transaction', async () => {
    await writing.transaction(async ({ db }) => {
      await note(db, 'a')
      await note(db, 'b')
      await note(db, 'a')
      await run(db, sql`insert into other values (${'c'})`)
      await untilNothing()
    })
    expect(told).toEqual([['a', 'b']]) // In the process that writes, before the transaction returns.
    await untilAllSeen()
    expect(seen).toEqual([['a', 'b']])
  })
  const untilNothing = async () => {
    await Bun.sleep(20)
    expect(seen).toEqual([])
  }

  test('by one statement outside a transaction are told too', async () => {
    await note(writing.db, 'alone')
    await run(writing.db, sql`insert into other values (${'c'})`)
    await untilAllSeen()
    expect(seen).toEqual([['alone']])
  })

  test('by this process are reported before its caller goes on', async () => {
    await listening.transaction(({ db }) => note(db, 'mine'))
    const atOnce = seen.length
    expect([1, 2]).toContain(atOnce) // Twice when the notification arrives before the answer to the commit.
    await untilAllSeen()
    expect(seen).toEqual(Array(atOnce).fill(['mine']))
  })

  test('that are rolled back are not told to others, those of a savepoint are', async () => {
    const failing = writing.transaction(async ({ db }) => {
      await note(db, 'lost')
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await writing.transaction(async (tx) => {
      const inner = writing.savepoint(tx, async ({ db }) => {
        await note(db, 'inner')
        throw new Error('only this')
      })
      await expect(inner).rejects.toThrow('only this')
    })
    await untilAllSeen()
    expect(seen).toEqual([['inner']])
    expect(await psql`select id from notes where id in ('lost', 'inner')`).toHaveLength(0)
  })

  test('of more rows than a notification can name are changes of all', async () => {
    await writing.transaction(async ({ db }) => {
      for (let index = 0; index < 300; index++) await note(db, `${index}`.padStart(30, 'ü'))
    })
    expect(told[0]).toHaveLength(300)
    await untilAllSeen()
    expect(seen).toEqual(['ANYBODY'])
    expect(Number((await psql`select count(*) from notes where id = ${'299'.padStart(30, 'ü')}`)[0]?.count)).toBe(1)
  })

  test('in a storm of writers all arrive', async () => {
    const ids = Array.from({ length: 500 }, (_, index) => `storm ${index}`)
    await Promise.all(ids.map((id) => writing.transaction(({ db }) => note(db, id))))
    await untilAllSeen()
    expect(seen.flat().sort()).toEqual(ids.sort())
    expect(isWatching()).toBe(true)
  })

  test.each([
    ["insert into notes values ('by hand')"],
    ["update notes set id = 'by hand'"],
    ['delete from notes'],
    ['truncate notes'],
    ["with one as (insert into notes values ('by hand') returning id) select * from one"],
  ])('by hand are changes of all: %s', async (statement) => {
    await psql.unsafe(statement)
    await untilAllSeen()
    expect(seen.filter((change) => change === 'ANYBODY').length).toBeGreaterThan(0)
  })

  test('by a script or by filling the database are changes of all', async () => {
    await writing.runScript(["insert into other values ('script')"])
    await writing.bulk(async () => {})
    expect(told).toEqual(['ANYBODY', 'ANYBODY'])
    await untilAllSeen()
    expect(seen).toEqual(['ANYBODY', 'ANYBODY'])
  })

  test('whose notification fails are rolled back, and the caller gets the error', async () => {
    await psql.unsafe('alter function pg_catalog.pg_notify(text, text) rename to pg_notify_away')
    try {
      await expect(writing.transaction(({ db }) => note(db, 'untold'))).rejects.toThrow()
    } finally {
      await psql.unsafe('alter function pg_catalog.pg_notify_away(text, text) rename to pg_notify')
    }
    expect(await psql`select id from notes where id = 'untold'`).toHaveLength(0)
    await writing.transaction(({ db }) => note(db, 'told'))
    expect(await psql`select id from notes where id = 'told'`).toHaveLength(1)
  })

  const terminate = () =>
    psql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_backend_pid%' and pid <> pg_backend_pid()`

  test('are watched again when the server has ended the connection, and meanwhile all may have changed', async () => {
    for (let round = 0; round < 3; round++) {
      expect((await terminate()).length).toBeGreaterThan(0) // The server may still list the one that it ended before.
      await until(() => !isWatching())
      expect(seen).toContain('ANYBODY')
      await untilWatching()
      seen.length = 0
      await writing.transaction(({ db }) => note(db, `after ${round}`))
      await untilAllSeen()
      expect(seen).toEqual([[`after ${round}`]])
    }
  }, 600_000)

  test('are not relied on while the connection hangs: within two seconds', async () => {
    const startedAt = performance.now()
    proxy.freeze()
    await until(() => !isWatching())
    expect(performance.now() - startedAt).toBeLessThan(2000)
    await until(() => seen.includes('ANYBODY'))
    expect(isWatching()).toBe(false)
    proxy.thaw()
    await until(isWatching)
  }, 600_000)

  test('are not relied on while the server is away', async () => {
    await proxy.leave()
    await until(() => !isWatching())
    expect(seen).toContain('ANYBODY')
    await proxy.comeBack()
    await until(isWatching)
  }, 600_000)

  test('are not watched without the trigger, and the trigger is made where it is missing', async () => {
    const [made] = await psql`select tgname from pg_trigger where tgrelid = 'notes'::regclass`
    expect(made).toBeDefined()
    await listening.close()
    await psql.unsafe(`drop trigger ${made?.tgname} on notes`)
    listening = open(server.url, () => seen)
    await untilWatching()
    await psql.unsafe("insert into notes values ('by hand')")
    await until(() => seen.includes('ANYBODY'))
  })

  test('are not watched where the setting says so, but are told to others', async () => {
    const deaf: RowChange[] = []
    const storage = open(server.url, () => deaf, false)
    for (let count = 0; count < 20; count++) {
      expect(storage.changes?.isWatching?.()).toBe(false)
      await Bun.sleep(5)
    }
    await storage.transaction(({ db }) => note(db, 'from the deaf'))
    await untilAllSeen()
    expect(seen).toEqual([['from the deaf']])
    await storage.close()
  })
})
