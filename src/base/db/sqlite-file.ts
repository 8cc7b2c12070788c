import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Client } from '@libsql/client'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql'
import type { ChangeListener } from './change-listener'
import { Connection } from './connection'
import type { TableReader } from './dump'
import { sqliteReader, sqliteWriter } from './dump-sqlite'
import type { Db, Handle, Storage, TransactionHandle } from './handle'
import { SerialQueue } from './serial-queue'
import type { Tables } from './tables'
import { ThreadConnection } from './thread-connection'

// A busy connection blocks the event loop while it waits: only opening may take its time, a reader hardly ever meets a
// lock, and for the writer `db/write` waits between attempts instead.
const OPEN_TIMEOUT_MS = 5000
const BUSY_TIMEOUT_MS = 50
const WRITE_TIMEOUT_MS = 5
// 32 MiB of log between copies into the database: a busy index page is copied once for many commits.
const CHECKPOINT_PAGES = 8192
const CACHE_KIB = 16 * 1024

/**
 * A local file by two connections of the libSQL library: one reads, one writes. Reads see what is committed and never
 * wait for the writer (WAL); a commit is on the disk before it returns (`synchronous=FULL`, the library's default).
 */
export function openSqliteFile(path: string, tables: Tables): Storage {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  let listener: ChangeListener | null = null
  const changing: ChangeListener['changing'] = (sql, args) => listener?.changing(sql, args)
  const ended = () => listener?.ended()
  const writer = new Connection(path, OPEN_TIMEOUT_MS, changing)
  writer.exec('PRAGMA journal_mode = WAL')
  writer.exec(`PRAGMA busy_timeout = ${WRITE_TIMEOUT_MS}`)
  writer.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  // Nobody should write by it. Whoever does commits with the statement itself, before the next microtask.
  const reader = new Connection(path, BUSY_TIMEOUT_MS, (sql, args) => {
    changing(sql, args)
    queueMicrotask(ended)
  })
  for (const connection of [writer, reader]) connection.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  const db = toDb(reader)
  const handle: TransactionHandle = { db: toDb(writer), tables, needsLocks: false, lock: noLock }
  const assertPresent = presenceCheck(path)
  const writes = new SerialQueue() // The writer serves one transaction at a time.
  const inThread = new ThreadConnection(path)
  const threadHandle: Handle = { db: toDb(inThread), tables }
  const threadReads = new SerialQueue()
  return {
    db,
    tables,
    driver: 'file',
    changes: {
      listen: (added) => {
        listener = added
      },
      foreignVersion: () => writer.pragma('data_version'),
    },
    transaction: (work) => writes.run(() => transact(writer, ended, () => work(handle))),
    savepoint: (tx, work) => inSavepoint(writer, () => work(tx)),
    runScript: (statements) => writes.run(() => transact(writer, ended, async () => runAll(writer, statements))),
    snapshot: (work) => readSnapshot(path, work),
    readInThread: (work) => threadReads.run(() => readInTransaction(inThread, () => work(threadHandle))),
    bulk: (work) => writes.run(() => transact(writer, ended, () => work(sqliteWriter(writer)))),
    ping: async () => {
      assertPresent()
      await db.run(sql`select 1`)
    },
    assertPresent,
    close: async () => {
      await threadReads.run(() => inThread.close())
      reader.close()
      writer.close()
    },
  }
}

const noLock = async (): Promise<void> => {} // A SQLite database has one writer, and it is this transaction.

// Drizzle's libSQL driver asks its client for `execute` alone as long as transactions are not left to it.
const toDb = (connection: Pick<Connection, 'execute'>): Db =>
  drizzle({ client: connection as unknown as Client, casing: 'snake_case' }) as unknown as Db

function runAll(writer: Connection, statements: readonly string[]): void {
  for (const statement of statements) writer.exec(statement)
}

/** A connection of its own: the state that its first query sees is what all of them see. */
async function readSnapshot<Result>(path: string, work: (reader: TableReader) => Promise<Result>): Promise<Result> {
  const connection = new Connection(path, BUSY_TIMEOUT_MS)
  try {
    connection.exec('BEGIN')
    return await work(sqliteReader(connection))
  } finally {
    connection.close()
  }
}

async function readInTransaction<Result>(connection: ThreadConnection, work: () => Promise<Result>): Promise<Result> {
  await connection.execute({ sql: 'BEGIN', args: [] })
  try {
    return await work()
  } finally {
    await connection.execute({ sql: 'ROLLBACK', args: [] })
  }
}

async function transact<Result>(writer: Connection, ended: () => void, work: () => Promise<Result>): Promise<Result> {
  writer.command('BEGIN IMMEDIATE')
  try {
    const result = await work()
    writer.command('COMMIT')
    return result
  } catch (error) {
    rollBack(writer, 'ROLLBACK')
    throw error
  } finally {
    ended()
  }
}

async function inSavepoint<Result>(writer: Connection, work: () => Promise<Result>): Promise<Result> {
  writer.command('SAVEPOINT one')
  try {
    const result = await work()
    writer.command('RELEASE one')
    return result
  } catch (error) {
    rollBack(writer, 'ROLLBACK TO one; RELEASE one')
    throw error
  }
}

/** A full disk or an I/O error has ended the transaction already; the first error is the one to tell. */
function rollBack(writer: Connection, statement: string): void {
  try {
    writer.exec(statement)
  } catch {
    // There is nothing left to roll back; should the outer transaction be gone too, its COMMIT will say so.
  }
}

/** Notices a database file that was moved away or replaced: writes to the old one would be lost without a word. */
function presenceCheck(path: string): () => void {
  const { ino } = statSync(path)
  return () => {
    if (statSync(path).ino !== ino) throw Object.assign(new Error(`${path} was replaced`), { code: 'SQLITE_CANTOPEN' })
  }
}
