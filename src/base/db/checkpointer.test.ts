import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { CHECKPOINT_PAGES, Checkpointer, LIMIT_PAGES } from './checkpointer'
import { Connection } from './connection'
import type { Handle, Storage } from './handle'
import { openSqliteFile } from './sqlite-file'
import { makeTables } from './tables'
import { WalLength } from './wal-length'

const PAGE_BYTES = 4096
const FRAME_BYTES = PAGE_BYTES + 24
/** Pages that one commit of `fill` adds. */
const COMMIT_PAGES = 256

let folder: string
let path: string
let storage: Storage
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-checkpointer-'))
  path = join(folder, 'a.db')
  storage = openSqliteFile(path, makeTables('sqlite', []), [])
  await storage.runScript(['CREATE TABLE t (id integer PRIMARY KEY, v blob)'])
})
afterEach(async () => {
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Writes over the same rows, so that the database stays small and the log grows by as many pages. */
const fill = () => {
  const rows = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${COMMIT_PAGES})
    insert into t select i, randomblob(4000) from n where true on conflict (id) do update set v = excluded.v`
  return storage.transaction(async ({ db }) => void (await db.run(rows)))
}
const fillPages = async (pages: number) => {
  for (let done = 0; done < pages; done += COMMIT_PAGES) await fill()
}
const logPages = () => statSync(`${path}-wal`).size / FRAME_BYTES
const databaseBytes = () => statSync(path).size
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const count = async ({ db }: Handle) => Number((await db.all<[number]>(sql`select count(*) from t`))[0]?.[0])

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await nextTurn()
}

describe('the checkpoint of a local file', () => {
  test('is never made within a commit, and soon after in another thread', async () => {
    const before = databaseBytes()
    while (logPages() < CHECKPOINT_PAGES) await fill()
    // No await returned to the event loop since the last commit, so no thread can have begun meanwhile.
    expect(databaseBytes()).toBe(before)
    await until(() => databaseBytes() > before)
    expect(await count(storage)).toBe(COMMIT_PAGES)
  })

  test('lets the log begin again while writers go on', async () => {
    const length = new WalLength(path)
    let restarts = 0
    for (let last = 0; restarts < 3; await nextTurn()) {
      await fill()
      const pages = length.read()
      if (pages < last) restarts++
      last = pages
    }
    length.close()
    expect(logPages()).toBeLessThan(LIMIT_PAGES)
  })

  test('waits for a long read, and the log is cut after it', async () => {
    const seen = await storage.snapshot(async (reader) => {
      await reader.tableNames()
      await fillPages(LIMIT_PAGES + 8 * COMMIT_PAGES)
      return logPages()
    })
    expect(seen).toBeGreaterThan(LIMIT_PAGES)
    for (let commit = 0; commit < 1000 && logPages() > LIMIT_PAGES; commit++) {
      await fill()
      await nextTurn()
    }
    expect(logPages()).toBeLessThanOrEqual(LIMIT_PAGES)
  })

  test('loses nothing of what was committed, wherever the process ends', async () => {
    const copies: [number, string][] = []
    for (let commit = 1; commit <= 60; commit++) {
      await storage.transaction(async ({ db }) => {
        await db.run(sql`insert into t values (${1000 + commit}, 'x')`)
      })
      await fill()
      await nextTurn()
      if (commit % 6 !== 0) continue
      // What a machine would find that lost its power now: the files, and no process with a lock.
      const copy = join(folder, `copy-${commit}.db`)
      copyFileSync(path, copy)
      copyFileSync(`${path}-wal`, `${copy}-wal`)
      copies.push([commit, copy])
    }
    for (const [commit, copy] of copies) {
      const reader = new Connection(copy, 50)
      const { rows } = await reader.execute({ sql: 'select count(*) from t where id > 1000', args: [] })
      expect(rows).toEqual([[commit]])
      expect((await reader.execute({ sql: 'pragma integrity_check', args: [] })).rows).toEqual([['ok']])
      reader.close()
    }
  })

  test('is SQLite’s own again where the thread cannot make it', async () => {
    const limits: number[] = []
    const failing = new Checkpointer(path, {
      inThread: () => Promise.reject(new Error('the thread has ended')),
      betweenWrites: (work) => work(),
      setLimit: (pages) => void limits.push(pages),
    })
    await fillPages(CHECKPOINT_PAGES + COMMIT_PAGES)
    failing.committed()
    failing.committed()
    await failing.close()
    expect(limits).toEqual([CHECKPOINT_PAGES])
  })

  test('never fails a commit when the log cannot be read', async () => {
    const limits: number[] = []
    const blind = new Checkpointer(join(folder, 'nothing.db'), {
      inThread: async () => [0],
      betweenWrites: (work) => work(),
      setLimit: (pages) => void limits.push(pages),
    })
    blind.committed()
    await blind.close()
    expect(limits).toEqual([CHECKPOINT_PAGES])
  })
})

test('the length of the log is that of the frames since it began', async () => {
  const length = new WalLength(path)
  await fill()
  const first = length.read()
  expect(first).toBeWithin(COMMIT_PAGES - 128, COMMIT_PAGES + 64)
  await fillPages(1024)
  expect(length.read() - first).toBeWithin(1024 - 128, 1024 + 256)
  const other = new Connection(path, 500)
  await other.execute({ sql: 'PRAGMA wal_checkpoint(RESTART)', args: [] })
  await fill()
  expect(length.read()).toBeWithin(COMMIT_PAGES - 128, COMMIT_PAGES + 64)
  expect(logPages()).toBeGreaterThan(1024)
  other.close()
  length.close()
  expect(readFileSync(path).length).toBe(databaseBytes())
})
