import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Db, Storage } from '../../src/db/handle'
import { openPostgres } from '../../src/db/postgres'
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres-server'
import { type ProxyServer, startProxy } from '../support/proxy'

describe.skipIf(postgresMissing() !== null)('a Postgres pool', () => {
  let server: PostgresServer
  let proxy: ProxyServer
  let storage: Storage

  beforeAll(async () => {
    server = await startPostgres()
    const url = new URL(server.url)
    proxy = await startProxy(Number(url.port))
    url.port = String(proxy.port)
    storage = openPostgres(url.toString())
    await storage.runScript(['CREATE TABLE notes (text text)'])
  }, 30_000)
  afterAll(async () => {
    await storage.close()
    await server.stop()
  })

  const run = (db: Db, statement: ReturnType<typeof sql>): Promise<Record<string, unknown>[]> =>
    (db as unknown as { execute(statement: unknown): Promise<Record<string, unknown>[]> }).execute(statement)
  const note = (db: Db, text: string) => run(db, sql`insert into notes values (${text})`)
  const notes = async () => (await run(storage.db, sql`select text from notes`)).map(({ text }) => text)

  const cut = async () => {
    await proxy.leave()
    await proxy.comeBack()
  }

  /** A transaction that loses its connection at the place given. */
  const losing = (name: string, lose: (db: Db) => Promise<unknown>) =>
    storage.transaction(async ({ db }) => {
      await note(db, `${name}: before`)
      await lose(db)
      await note(db, `${name}: after`)
    })

  test('that is cut between two statements loses the transaction, and the process lives', async () => {
    await expect(losing('between', cut)).rejects.toThrow()
    expect(await notes()).toEqual([])
  })

  test('that is cut during a statement loses the transaction, and the process lives', async () => {
    const lost = losing('during', async (db) => {
      setTimeout(cut, 50)
      await run(db, sql`select pg_sleep(5)`)
    })
    await expect(lost).rejects.toThrow()
    expect(await notes()).toEqual([])
  })

  test('that is cut in a savepoint loses the whole transaction', async () => {
    const lost = storage.transaction(async (handle) => {
      await note(handle.db, 'savepoint: outer')
      await storage.savepoint(handle, async ({ db }) => {
        setTimeout(cut, 50)
        await run(db, sql`select pg_sleep(5)`)
      })
    })
    await expect(lost).rejects.toThrow()
    expect(await notes()).toEqual([])
  })

  test('whose server ends a connection loses that transaction, and no other one gets its rest', async () => {
    const pid = async (db: Db) => (await run(db, sql`select pg_backend_pid() as pid`))[0]?.pid
    const lost = losing('ended', async (db) => {
      const own = await pid(db)
      await run(storage.db, sql`select pg_terminate_backend(${own}::int)`)
      await Bun.sleep(50)
    })
    const other = (index: number) =>
      storage.transaction(async ({ db }) => {
        await note(db, `other ${index}`)
        await run(db, sql`select pg_sleep(0.15)`)
        throw new Error('rolled back')
      })
    const [first, ...others] = await Promise.allSettled([
      lost,
      ...Array.from({ length: 12 }, (_, index) => other(index)),
    ])
    expect(first?.status).toBe('rejected')
    for (const ended of others) expect(ended).toMatchObject({ reason: { message: 'rolled back' } })
    expect(await notes()).toEqual([])
  })

  test('that was cut with every connection busy answers the next queries at once', async () => {
    for (let round = 0; round < 5; round++) {
      const busy = Array.from({ length: 30 }, () => storage.ping())
      await cut()
      await Promise.allSettled(busy)
      await Bun.sleep(50)
      const startedAt = performance.now()
      await Promise.all(Array.from({ length: 30 }, () => storage.ping()))
      expect(performance.now() - startedAt).toBeLessThan(2000)
    }
  }, 30_000)

  test('that was closed opens no new connection', async () => {
    const closed = openPostgres(server.url)
    await closed.ping()
    await closed.close()
    await expect(closed.ping()).rejects.toThrow()
  })

  test('goes on with transactions as if nothing had been', async () => {
    await storage.transaction(async ({ db }) => {
      await note(db, 'kept')
    })
    expect(await notes()).toEqual(['kept'])
  })
})
