import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Client } from '@libsql/client'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql'
import type { ChangeListener } from './change-listener'
import { Checkpointer, LIMIT_PAGES } from './checkpointer'
import { compileQueries, type QuerySession, type RunStatement } from './compiled-query'
import { Connection } from './connection'
import type { TableReader } from './dump'
import { sqliteReader, sqliteWriter } from './dump-sqlite'
import { FileWiper } from './file-wiper'
import type { Db, Storage, TransactionHandle } from './handle'
import { MIGRATIONS } from './migrations'
import { ReadThread } from './read-thread'
import { SerialQueue } from './serial-queue'
import type { Tables } from './tables'
import { TurnQueue } from './turn-queue'
import { TurnReader } from './turn-reader'

// A connection that waits for a lock blocks the event loop. So only opening may wait long. A reader hardly ever meets a
// lock. For the writer, `db/write` waits between its attempts instead.
const OPEN_TIMEOUT_MS = 5000
const BUSY_TIMEOUT_MS = 50
const WRITE_TIMEOUT_MS = 5
const CACHE_KIB = 16 * 1024
/** One more than a project can use, so that the long reads of one project do not stop those of all others. */
const READ_THREADS = 2
const FRAME_BYTES = 4096 + 24

/**
 * Opens a local file with two connections of the libSQL library: one writes, and one reads beside an open transaction
 * (`TurnReader`). Reads see what is committed and never wait for the writer (WAL). A commit is on the disk before it
 * returns (`synchronous=FULL`, the library's default).
 */
export function openSqliteFile(path: string, tables: Tables, migrations = MIGRATIONS.sqlite): Storage {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  let listener: ChangeListener | null = null
  const changing: ChangeListener['changing'] = (sql, args) => listener?.changing(sql, args)
  const ended = () => listener?.ended()
  const writer = new Connection(path, OPEN_TIMEOUT_MS, changing)
  writer.exec('PRAGMA journal_mode = WAL')
  writer.exec(`PRAGMA busy_timeout = ${WRITE_TIMEOUT_MS}`)
  writer.exec('PRAGMA secure_delete = ON') // Deleted bytes are overwritten, also where no page is freed.
  const setLimit = (pages: number) => writer.exec(`PRAGMA wal_autocheckpoint = ${pages}`)
  setLimit(LIMIT_PAGES)
  writer.exec(`PRAGMA journal_size_limit = ${LIMIT_PAGES * FRAME_BYTES}`)
  // No code should write with the reading connection. If a statement does, it commits by itself before the next
  // microtask.
  const reader = new Connection(path, BUSY_TIMEOUT_MS, (sql, args) => {
    changing(sql, args)
    queueMicrotask(ended)
  })
  writer.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  const reads = new TurnReader(writer, reader)
  const db = ofReads(reads)
  const handle: TransactionHandle = { db: ofWriter(writer), tables, needsLocks: false, lock: noLock }
  const assertPresent = presenceCheck(path)
  const writes = new SerialQueue() // The writer serves one transaction at a time.
  const threads = Array.from({ length: READ_THREADS }, () => new ReadThread(path, tables, toDb))
  const threadReads = new TurnQueue(threads)
  const checkpointer = new Checkpointer(path, {
    // A checkpoint during a long read cannot copy pages that are newer than this read.
    inThread: (sql) =>
      threadReads.runAlone(async ([thread]) => (await thread?.connection.execute({ sql, args: [] }))?.rows[0] ?? []),
    betweenWrites: (work) => writes.run(work),
    setLimit,
  })
  const wiper = new FileWiper(path, {
    writer,
    /** A transaction in which no row changes. */
    alone: (work) => writes.run(() => transact(writer, reads, () => {}, work)),
    betweenWrites: (work) =>
      writes.run(async () => {
        reads.end()
        return work()
      }),
  })
  const transaction = <Result>(work: () => Promise<Result>, isRepeated = false): Promise<Result> =>
    writes.run(async () => {
      const begin = () => transact(writer, reads, ended, work)
      const result = await (isRepeated ? withoutSync(writer, reads, begin) : begin())
      checkpointer.committed()
      return result
    })
  return {
    db,
    tables,
    migrations,
    driver: 'file',
    changes: {
      listen: (added) => {
        listener = added
      },
      foreignVersion: () => writer.pragma('data_version'),
    },
    transaction: (work, isRepeated) => transaction(() => work(handle), isRepeated),
    savepoint: (tx, work) => inSavepoint(writer, () => work(tx)),
    countChanges: () => writer.changes,
    runScript: (statements) => transaction(async () => runAll(writer, statements)),
    snapshot: (work) => readSnapshot(path, work),
    readInThread: (work, turn) => threadReads.run((thread) => thread.read(work, turn), turn),
    bulk: (work) => transaction(() => work(sqliteWriter(writer), sqliteReader(writer))),
    removeRemains: () => wiper.run(),
    refresh: () => reads.end(),
    ping: async () => {
      assertPresent()
      await db.run(sql`select 1`)
    },
    assertPresent,
    close: async () => {
      await wiper.close()
      await checkpointer.close()
      await threadReads.runAlone((all) => Promise.all(all.map(({ connection }) => connection.close())))
      reads.end()
      reader.close()
      writer.close()
    },
  }
}

const noLock = async (): Promise<void> => {} // A SQLite database allows one writer, and this transaction is it.

// Drizzle's libSQL driver calls only `execute` of its client, as long as it runs no transactions itself.
const toDb = (connection: Pick<Connection, 'execute'>): Db =>
  drizzle({ client: connection as unknown as Client, casing: 'snake_case' }) as unknown as Db

function toFastDb(connection: Pick<Connection, 'execute'>, run: RunStatement, changed: () => number | undefined): Db {
  const db = toDb(connection)
  compileQueries((db as unknown as { session: QuerySession }).session, run, changed)
  return db
}

const ofReads = (reads: TurnReader): Db =>
  toFastDb(
    reads,
    (sql, args, manner) => reads.run(sql, args, manner),
    () => undefined,
  )

const ofWriter = (writer: Connection): Db =>
  toFastDb(
    writer,
    (sql, args, manner) => writer.run(sql, args, manner === 'ONE'),
    () => writer.changed,
  )

function runAll(writer: Connection, statements: readonly string[]): void {
  for (const statement of statements) writer.exec(statement)
}

/** Uses its own connection, in one read transaction: all queries see the state that the first one sees. */
async function readSnapshot<Result>(path: string, work: (reader: TableReader) => Promise<Result>): Promise<Result> {
  const connection = new Connection(path, BUSY_TIMEOUT_MS)
  try {
    connection.exec('BEGIN')
    return await work(sqliteReader(connection))
  } finally {
    connection.close()
  }
}

async function transact<Result>(
  writer: Connection,
  reads: TurnReader,
  ended: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  reads.writing()
  try {
    // A prepared statement that finds the file locked stays under way, and every read after it would see the state of
    // the first one, until it is run again. `exec` ends its statement also when it fails.
    writer.exec('BEGIN IMMEDIATE')
    const result = await work()
    writer.command('COMMIT')
    return result
  } catch (error) {
    rollBack(writer, 'ROLLBACK')
    throw error
  } finally {
    reads.written()
    ended()
  }
}

/** The next commit with a sync brings this one to the disk too, for the log is one file. */
async function withoutSync<Result>(
  writer: Connection,
  reads: TurnReader,
  work: () => Promise<Result>,
): Promise<Result> {
  reads.end() // The level cannot change within a transaction.
  writer.command('PRAGMA synchronous = NORMAL')
  try {
    return await work()
  } finally {
    writer.command('PRAGMA synchronous = FULL')
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

/**
 * After a full disk or an I/O error the transaction has already ended. The caller must then get the first error, not
 * the one of the rollback.
 */
function rollBack(writer: Connection, statement: string): void {
  try {
    writer.exec(statement)
  } catch {
    // Nothing is left to roll back. If the outer transaction has ended too, its COMMIT fails.
  }
}

/**
 * Notices a database file that was moved or replaced: writes to the old file would be lost without an error. The error
 * has SQLite's code for a database that cannot be opened, whatever keeps the file from being found.
 */
function presenceCheck(path: string): () => void {
  const { ino } = statSync(path)
  return () => {
    if (inodeOf(path) === ino) return
    const message = `the database file was moved, replaced or removed: ${path}`
    throw Object.assign(new Error(message), { code: 'SQLITE_CANTOPEN' })
  }
}

function inodeOf(path: string): number | null {
  try {
    return statSync(path).ino
  } catch {
    return null
  }
}
