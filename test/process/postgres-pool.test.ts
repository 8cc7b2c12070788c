import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Db, Storage } from '../../src/base/db/handle'
import { openPostgres } from '../../src/base/db/postgres'
import { makeTables } from '../../src/base/db/tables'
import { tablesOf } from '../../src/create-context'
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres-server'
import { type ProxyServer, startProxy } from '../support/proxy'

describe.skipIf(postgresMissing() !== null)('a Postgres pool', () => {
  let server: PostgresServer
  let proxy: ProxyServer
  let storage: Storage
  /** A connection directly to the server, without the proxy. */
  let observer: Storage

  beforeAll(async () => {
    server = await startPostgres()
    const url = new URL(server.url)
    proxy = await startProxy(Number(url.port))
    url.port = String(proxy.port)
    storage = openPostgres(url.toString(), makeTables('postgres', tablesOf()))
    observer = openPostgres(server.url, makeTables('postgres', tablesOf()))
    await storage.runScript(['CREATE TABLE notes (text text)'])
  })
  afterAll(async () => {
    await storage.close()
    await observer.close()
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
  const pidOf = async (db: Db) => Number((await run(db, sql`select pg_backend_pid() as pid`))[0]?.pid)

  /** Waits until the server reports the expected state of a connection. */
  async function until(pid: number, says: (state: string | undefined) => boolean): Promise<void> {
    const state = async () =>
      (await run(observer.db, sql`select query from pg_stat_activity where pid = ${pid}`))[0]?.query as string
    while (!says(await state())) await Bun.sleep(10)
  }

  /** A statement whose connection is cut while the server runs it. */
  async function runAndCut(db: Db): Promise<void> {
    const pid = await pidOf(db)
    const running = run(db, sql`select pg_sleep(60)`)
    await Promise.all([running, until(pid, (query) => query?.includes('pg_sleep') === true).then(cut)])
  }

  /** A transaction that loses its connection at the given place. */
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
    await expect(losing('during', runAndCut)).rejects.toThrow()
    expect(await notes()).toEqual([])
  })

  test('that is cut in a savepoint loses the whole transaction', async () => {
    const lost = storage.transaction(async (handle) => {
      await note(handle.db, 'savepoint: outer')
      await storage.savepoint(handle, ({ db }) => runAndCut(db))
    })
    await expect(lost).rejects.toThrow()
    expect(await notes()).toEqual([])
  })

  test('whose server ends a connection loses that transaction, and no other one gets its rest', async () => {
    const lost = losing('ended', async (db) => {
      const own = await pidOf(db)
      await run(storage.db, sql`select pg_terminate_backend(${own}::int)`)
      await until(own, (query) => query === undefined)
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

  test('that was cut with every connection busy answers the next queries', async () => {
    for (let round = 0; round < 5; round++) {
      const busy = Promise.allSettled(Array.from({ length: 30 }, () => storage.ping()))
      await cut() // These may fail before the statement has ended.
      await busy
      await Promise.all(Array.from({ length: 30 }, () => storage.ping()))
    }
  }, 600_000)

  test('whose connections are all busy refuses who waits too long, and opens no further ones', async () => {
    const url = new URL(server.url)
    url.searchParams.set('application_name', 'busy')
    const busy = openPostgres(url.toString(), makeTables('postgres', tablesOf()), undefined, { silenceMs: 3000 })
    const connections = async () =>
      Number(
        (await run(observer.db, sql`select count(*) from pg_stat_activity where application_name = 'busy'`))[0]?.count,
      )
    let isHeld = true
    const holding = Array.from({ length: 10 }, () =>
      busy.transaction(async ({ db }) => {
        while (isHeld) await run(db, sql`select pg_sleep(0.05)`)
      }),
    )
    const waiting = [busy.ping(), busy.transaction(({ db }) => note(db, 'waiting'))]
    const ended = await Promise.allSettled(waiting)
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(busy.ping()).rejects.toThrow()
    expect(await connections()).toBe(10)
    isHeld = false
    await Promise.all(holding)
    await busy.ping()
    expect(await connections()).toBe(10)
    expect(await notes()).toEqual([]) // Who was refused has written nothing.
    await busy.close()
  })

  test('that was closed opens no new connection', async () => {
    const closed = openPostgres(server.url, makeTables('postgres', tablesOf()))
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
