import { type Client, createClient, type InStatement, type Transaction } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import type { DatabaseConfig } from '../config'
import { assertAwaited, whileAwaited } from './caller'
import { type SqliteConnection, sqliteReader, sqliteWriter } from './dump-sqlite'
import type { Db, Storage, TransactionHandle } from './handle'
import { MIGRATIONS } from './migrations'
import { ReadBatches } from './read-batches'
import { RemoteTransaction } from './remote-transaction'
import { Replica } from './replica'
import { SILENCE_MS } from './silence'
import type { Tables } from './tables'

type LibsqlConfig = Extract<DatabaseConfig, { kind: 'remote' | 'replica' }>

const noLock = async (): Promise<void> => {} // A SQLite database allows one writer, and this transaction is it.

/** A libSQL server. With a replica, the local copy serves the reads, and every write goes to the server. */
export function openLibsql(config: LibsqlConfig, tables: Tables, migrations = MIGRATIONS.sqlite): Storage {
  const { url, authToken } = config
  const client = createClient({ url, fetch: fetchWithin, ...(authToken !== null && { authToken }) })
  const served = new ReadBatches(client)
  const replica = config.kind === 'replica' ? new Replica(served, config) : null
  const reads = replica ?? served
  const db = toDb(reads)
  const remotes = new WeakMap<TransactionHandle, RemoteTransaction>()
  const handleOf = (remote: RemoteTransaction): TransactionHandle => {
    const handle = { db: toDb(remote), tables, needsLocks: false, lock: noLock }
    remotes.set(handle, remote)
    return handle
  }
  /** The replica has a change before the caller learns that it was made. */
  const changing = async <Result>(change: Promise<Result>): Promise<Result> => {
    const result = await change
    await replica?.catchUp()
    return result
  }
  return {
    db,
    tables,
    migrations,
    driver: config.kind,
    changes: null,
    transaction: (work) => changing(transact(client, (remote) => work(handleOf(remote)))),
    savepoint: (handle, work) => remoteOf(remotes, handle).savepoint(() => work(handle)),
    runScript: (statements) => changing(runInTransaction(client, statements)),
    snapshot: (work) => inTransaction(client, 'read', (tx) => work(sqliteReader(rawOf(tx)))),
    readInThread: async (work, { signal } = {}) =>
      signal ? whileAwaited(signal, () => work({ db: toDb(awaited(reads, signal)), tables })) : work({ db, tables }),
    bulk: (work) =>
      changing(inTransaction(client, 'write', (tx) => work(sqliteWriter(rawOf(tx)), sqliteReader(rawOf(tx))))),
    removeRemains: async () => {}, // What the server keeps in its files is in its own hands.
    refresh: () => {}, // Every statement reads what is committed.
    ping: async () => void (await reads.execute('select 1')),
    assertPresent: () => {},
    close: async () => {
      replica?.close()
      client.close()
    },
  }
}

/** Ends a request to a server that hangs; without this limit nothing would end it. */
const fetchWithin = (request: Request): Promise<Response> => fetch(request, { signal: AbortSignal.timeout(SILENCE_MS) })

// Drizzle's libSQL driver calls only `execute` of its client, as long as it runs no transactions itself.
const toDb = (client: { execute(statement: InStatement): Promise<unknown> }): Db =>
  drizzle({ client: client as unknown as Client, casing: 'snake_case' }) as unknown as Db

/** Runs statements as long as a caller waits for their results. */
const awaited = (client: { execute(statement: InStatement): Promise<unknown> }, signal: AbortSignal) => ({
  execute: async (statement: InStatement) => {
    assertAwaited(signal)
    return client.execute(statement)
  },
})

function remoteOf(remotes: WeakMap<TransactionHandle, RemoteTransaction>, handle: TransactionHandle) {
  const remote = remotes.get(handle)
  if (!remote) throw new Error('a savepoint needs the handle of an open transaction')
  return remote
}

async function transact<Result>(client: Client, work: (remote: RemoteTransaction) => Promise<Result>): Promise<Result> {
  const remote = await RemoteTransaction.begin(client)
  try {
    const result = await work(remote)
    await remote.commit()
    return result
  } catch (error) {
    await remote.rollBack()
    throw error
  }
}

const runInTransaction = (client: Client, statements: readonly string[]): Promise<void> =>
  inTransaction(client, 'write', async (tx) => {
    for (const statement of statements) await tx.execute(statement)
  })

async function inTransaction<Result>(
  client: Client,
  mode: 'read' | 'write',
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const tx = await client.transaction(mode)
  try {
    const result = await work(tx)
    await tx.commit()
    return result
  } finally {
    tx.close()
  }
}

const rawOf = (tx: Transaction): SqliteConnection => ({
  execute: async (statement) => ({ rows: (await tx.execute(statement)).rows.map((row) => Array.from(row)) }),
})
