import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql, TransactionSql } from 'postgres'
import { postgresReader, postgresWriter } from './dump-postgres'
import type { Db, Storage, TransactionHandle } from './handle'
import { MIGRATIONS } from './migrations'
import { abandonedWhenLost, PostgresPool } from './postgres-pool'
import { SerialQueue } from './serial-queue'
import type { Tables } from './tables'

const POOL_SIZE = 10
const CONNECT_TIMEOUT_SECONDS = 5
/**
 * The driver's default pause between attempts grows to 20 s. Every request would wait for it, even after the server is
 * back.
 */
const RECONNECT_SECONDS = 0.2
const STATEMENT_TIMEOUT_MS = 7000

/** A PostgreSQL server, shared by any number of processes. */
export function openPostgres(url: string, tables: Tables, migrations = MIGRATIONS.postgres): Storage {
  const pool = new PostgresPool(url, {
    max: POOL_SIZE,
    max_lifetime: null,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    backoff: () => RECONNECT_SECONDS,
    onnotice: () => {},
    connection: { application_name: 'svc', statement_timeout: STATEMENT_TIMEOUT_MS },
  })
  const db = drizzle({ client: pool.impatient, casing: 'snake_case' }) as unknown as Db
  const queue = new SerialQueue() // A long read holds a connection of the pool, so only one runs at a time.
  const handleOf = (tx: unknown): TransactionHandle => lockingHandle(tx as Db, tables)
  const transaction: Storage['transaction'] = (work) => db.transaction((tx) => work(handleOf(tx)))
  return {
    db,
    tables,
    migrations,
    driver: 'postgres',
    changes: null,
    transaction,
    savepoint: (tx, work) => tx.db.transaction((inner) => work(handleOf(inner))),
    runScript: (statements) =>
      inLongTransaction(pool.sql, '', async (tx) => {
        await lockMigrations(tx)
        for (const statement of statements) await tx.unsafe(statement)
      }),
    snapshot: (work) => inLongTransaction(pool.sql, SNAPSHOT, (tx) => work(postgresReader(tx))),
    readInThread: (work) => queue.run(() => db.transaction((tx) => work(handleOf(tx)), ONE_STATE as never)),
    bulk: (work) =>
      inLongTransaction(pool.sql, '', async (tx) => {
        await lockMigrations(tx)
        return work(postgresWriter(tx))
      }),
    ping: async () => void (await execute(db, sql`select 1`)),
    assertPresent: () => {},
    close: () => pool.end(),
  }
}

const MIGRATION_LOCK = 7_301_842
const SNAPSHOT = 'isolation level repeatable read read only'

const lockMigrations = (tx: TransactionSql): Promise<unknown> =>
  tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute()

async function inLongTransaction<Result>(
  client: Sql,
  options: string,
  work: (tx: TransactionSql) => Promise<Result>,
): Promise<Result> {
  return (await client.begin(options, (tx) => abandonedWhenLost(untimed(tx, work)))).result
}

async function untimed<Result>(tx: TransactionSql, work: (tx: TransactionSql) => Promise<Result>) {
  await tx`set local statement_timeout = 0`
  return { result: await work(tx) }
}

/** The shared type of both dialects has only the transaction settings of SQLite. */
const ONE_STATE = { isolationLevel: 'repeatable read', accessMode: 'read only' }

const lockingHandle = (db: Db, tables: Tables): TransactionHandle => ({
  db,
  tables,
  needsLocks: true,
  lock: (name) => takeLock(db, name),
})

// An advisory lock belongs to a name (a purchase chain, a subscriber), so it works before a row for this name exists.
async function takeLock(db: Db, name: string): Promise<void> {
  await execute(db, sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

const execute = (db: Db, statement: ReturnType<typeof sql>): Promise<unknown> =>
  (db as unknown as { execute(statement: unknown): Promise<unknown> }).execute(statement)
