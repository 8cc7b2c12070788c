import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import { CancelledReads } from './cancelled-reads'
import { postgresReader, postgresWriter } from './dump-postgres'
import type { Db, Storage, TransactionHandle } from './handle'
import { MIGRATIONS } from './migrations'
import { PostgresChanges } from './postgres-changes'
import { PostgresPool } from './postgres-pool'
import { rewriteTables } from './postgres-remains'
import { HotStatements } from './postgres-statements'
import { abandonedWhenLost, takeLock } from './postgres-transaction'
import { APPLICATION } from './postgres-triggers'
import { takeQueriesFrom } from './prepared'
import { SILENCE_MS } from './silence'
import type { Tables } from './tables'
import { TurnQueue } from './turn-queue'

const POOL_SIZE = 10
const CONNECT_TIMEOUT_SECONDS = 5
/**
 * The driver's default pause between attempts grows to 20 s. Every request would wait for it, even after the server is
 * back.
 */
const RECONNECT_SECONDS = 0.2
const STATEMENT_TIMEOUT_MS = 7000
/** Each holds a connection of the pool. One more than a project can use. */
const LONG_READS = 2

const OPTIONS = {
  max: POOL_SIZE,
  max_lifetime: null,
  connect_timeout: CONNECT_TIMEOUT_SECONDS,
  backoff: () => RECONNECT_SECONDS,
  onnotice: () => {},
  connection: { application_name: APPLICATION, statement_timeout: STATEMENT_TIMEOUT_MS },
}

/** A connection that only receives notifications. */
const openListening = (url: string, onPayload: (payload: string) => void, onClose: () => void): Sql =>
  postgres(url, {
    ...OPTIONS,
    max: 1,
    fetch_types: false,
    // The driver passes this option on, but its type lacks it.
    ...{ onnotify: (_channel: string, payload: string) => onPayload(payload) },
    onclose: onClose,
  })

/** What the connections of a PostgreSQL server can do. */
export interface PostgresAbilities {
  /** False behind a pooler that gives each transaction another connection: statements are not prepared. */
  isPreparing?: boolean
  /** False behind such a pooler: it passes no notifications on, so changes by other processes are not seen. */
  isListening?: boolean
  /** How long a query waits for the database, in milliseconds. Default `SILENCE_MS`. */
  silenceMs?: number
}

/** A PostgreSQL server, shared by any number of processes. */
export function openPostgres(
  url: string,
  tables: Tables,
  migrations = MIGRATIONS.postgres,
  { isPreparing = true, isListening = true, silenceMs = SILENCE_MS }: PostgresAbilities = {},
): Storage {
  const statements = new HotStatements(isPreparing)
  const changes: PostgresChanges = new PostgresChanges({
    connect: isListening ? (onPayload, onClose) => openListening(url, onPayload, onClose) : null,
    query: async (text, values) => pool.impatient.unsafe(text, values),
    migrating: (work) =>
      inLongTransaction(pool.sql, '', async (tx) => {
        await lockMigrations(tx)
        await work(tx)
      }),
  })
  const pool = new PostgresPool(url, OPTIONS, { statements, changes, silenceMs })
  const db = drizzle({ client: pool.impatient, casing: 'snake_case' }) as unknown as Db
  const longReads = new TurnQueue(Array.from({ length: LONG_READS }, (_, place) => place))
  const handleOf = (tx: unknown): TransactionHandle => {
    takeQueriesFrom(tx as Db, { root: { db, tables }, bind: boundTo(clientOf(tx as Db)) })
    return lockingHandle(tx as Db, tables)
  }
  const readLong: Storage['readInThread'] = (work, turn) =>
    longReads.run(() => {
      const reads = new CancelledReads(turn?.signal)
      return db.transaction((tx) => {
        const session = sessionOf(tx as Db)
        session.client = reads.watched(session.client)
        return reads.during(() => work(handleOf(tx)))
      }, ONE_STATE as never)
    }, turn)
  const transaction: Storage['transaction'] = (work) => db.transaction((tx) => work(handleOf(tx)))
  return {
    db,
    tables,
    migrations,
    driver: 'postgres',
    changes,
    transaction,
    savepoint: (tx, work) => tx.db.transaction((inner) => work(handleOf(inner))),
    runScript: (statements) =>
      inLongTransaction(pool.sql, '', async (tx) => {
        await lockMigrations(tx)
        for (const statement of statements) await tx.unsafe(statement)
        await changes.tellAll(tx)
      }).finally(() => changes.endedAll()),
    snapshot: (work) => inLongTransaction(pool.sql, SNAPSHOT, (tx) => work(postgresReader(tx))),
    readInThread: readLong,
    bulk: (work) =>
      inLongTransaction(pool.sql, '', async (tx) => {
        await lockMigrations(tx)
        const result = await work(postgresWriter(tx), postgresReader(tx))
        await changes.tellAll(tx)
        return result
      }).finally(() => changes.endedAll()),
    removeRemains: (names) => rewriteTables(pool.sql, names),
    refresh: () => {}, // Every statement reads what is committed.
    ping: async () => void (await execute(db, sql`select 1`)),
    assertPresent: () => {},
    close: async () => {
      await changes.close()
      await pool.end()
    },
  }
}

const sessionOf = (db: Db) => (db as unknown as { session: { client: TransactionSql } }).session
const clientOf = (db: Db): TransactionSql => sessionOf(db).client

/** Drizzle's query object has its client as a member; with another client it runs in that client's transaction. */
const boundTo =
  (client: TransactionSql) =>
  <Query>(query: Query): Query =>
    Object.assign(Object.create(query as object) as Query & object, { client })

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

// An advisory lock belongs to a name (a purchase chain, a subscriber), so it works before a row for this name exists.
const lockingHandle = (db: Db, tables: Tables): TransactionHandle => ({
  db,
  tables,
  needsLocks: true,
  lock: (name) => takeLock(clientOf(db), name),
})

const execute = (db: Db, statement: ReturnType<typeof sql>): Promise<unknown> =>
  (db as unknown as { execute(statement: unknown): Promise<unknown> }).execute(statement)
