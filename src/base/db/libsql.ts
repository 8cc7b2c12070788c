import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Client, createClient, type Transaction } from '@libsql/client'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql'
import type { DatabaseConfig } from '../config'
import { type SqliteConnection, sqliteReader, sqliteWriter } from './dump-sqlite'
import type { Db, Storage, TransactionHandle } from './handle'
import { MIGRATIONS } from './migrations'
import { SILENCE_MS } from './silence'
import type { Tables } from './tables'

type LibsqlConfig = Extract<DatabaseConfig, { kind: 'remote' | 'replica' }>

const noLock = async (): Promise<void> => {} // A SQLite database allows one writer, and this transaction is it.

/** A libSQL server, or a local replica of one. */
export function openLibsql(config: LibsqlConfig, tables: Tables, migrations = MIGRATIONS.sqlite): Storage {
  if (config.kind === 'replica') mkdirSync(dirname(config.path), { recursive: true, mode: 0o700 })
  const client = openClient(config)
  const gate = config.kind === 'replica' ? new Gate() : null
  const db = drizzle({ client: gate ? gated(client, gate) : client, casing: 'snake_case' }) as unknown as Db
  const handleOf = (tx: unknown): TransactionHandle => ({ db: tx as Db, tables, needsLocks: false, lock: noLock })
  return {
    db,
    tables,
    migrations,
    driver: config.kind,
    changes: null,
    transaction: (work) => withGate(gate, () => db.transaction((tx) => work(handleOf(tx)))),
    savepoint: (tx, work) => tx.db.transaction((inner) => work(handleOf(inner))),
    runScript: (statements) => withGate(gate, () => runInTransaction(client, statements)),
    snapshot: (work) => withGate(gate, () => inTransaction(client, 'read', (tx) => work(sqliteReader(rawOf(tx))))),
    readInThread: (work) => work({ db, tables }),
    bulk: (work) => withGate(gate, () => inTransaction(client, 'write', (tx) => work(sqliteWriter(rawOf(tx))))),
    ping: async () => void (await db.run(sql`select 1`)),
    assertPresent: () => {},
    close: async () => client.close(),
  }
}

const REPLICA_SYNC_SECONDS = 1

/** Ends a request to a server that hangs; without this limit nothing would end it. */
const fetchWithin = (request: Request): Promise<Response> => fetch(request, { signal: AbortSignal.timeout(SILENCE_MS) })

function openClient(config: LibsqlConfig): Client {
  const auth = config.authToken === null ? {} : { authToken: config.authToken }
  if (config.kind === 'remote') return createClient({ url: config.url, fetch: fetchWithin, ...auth })
  return createClient({
    url: `file:${config.path}`,
    syncUrl: config.url,
    syncInterval: REPLICA_SYNC_SECONDS,
    ...auth,
  })
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

/** A replica has one connection. While a transaction holds it, all other statements wait here. */
class Gate {
  private tail: Promise<unknown> = Promise.resolve()

  pass<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.tail.then(work, work)
    this.tail = result.catch(() => {})
    return result
  }
}

const withGate = <Result>(gate: Gate | null, work: () => Promise<Result>): Promise<Result> =>
  gate ? gate.pass(work) : work()

/** The client whose single statements wait at the gate. `Storage.transaction` takes the gate for a transaction. */
function gated(client: Client, gate: Gate): Client {
  const execute: Client['execute'] = (statement: never) => gate.pass(() => client.execute(statement))
  return new Proxy(client, { get: (target, name) => (name === 'execute' ? execute : bound(target, name)) })
}

function bound(target: Client, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name)
  return typeof member === 'function' ? member.bind(target) : member
}
