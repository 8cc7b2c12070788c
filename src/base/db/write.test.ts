import { afterEach, beforeEach, describe, expect, type Mock, spyOn, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Storage, TransactionHandle } from './handle'
import { SILENCE_MS } from './silence'
import { openSqliteFile } from './sqlite-file'
import { makeTables } from './tables'
import { createWrite } from './write'

/** The time within which a response must be sent (wire 3.2). */
const PROMISED_MS = 8000
const ATTEMPT_MS = 5

// A clock that only moves when the test says so or when the code sleeps.
let nowMs = 0
let spies: Mock<() => unknown>[] = []
beforeEach(() => {
  nowMs = 0
  const sleep = async (ms: number | Date) => {
    nowMs += Number(ms)
  }
  spies = [
    spyOn(performance, 'now').mockImplementation(() => nowMs),
    spyOn(Bun, 'sleep').mockImplementation(sleep) as Mock<() => unknown>,
  ]
})
afterEach(() => {
  for (const spy of spies) spy.mockRestore()
})

const writerOver = (transaction: () => unknown) => {
  const storage = { driver: 'file', assertPresent() {}, transaction }
  return createWrite(storage as unknown as Storage, { begin: (tx) => tx, committed() {} })
}

const failure = (code: string) => Object.assign(new Error(code), { code })
const REFUSED = { status: 'rejected', reason: { refusal: 'DATABASE_UNAVAILABLE' } }

test('writers that meet a lock wait for it, but all of them together no longer than one may', async () => {
  const write = writerOver(async () => {
    nowMs += ATTEMPT_MS
    throw failure('SQLITE_BUSY')
  })
  const endedAt: number[] = []
  const writers = Array.from({ length: 300 }, () => write(async () => 1).finally(() => endedAt.push(nowMs)))
  for (const ended of await Promise.allSettled(writers)) expect(ended).toMatchObject(REFUSED)
  expect(Math.min(...endedAt)).toBeGreaterThanOrEqual(5000)
  expect(Math.max(...endedAt)).toBeLessThan(PROMISED_MS)
})

test('writers that wait behind one that hung are let go with it', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  const begun = Promise.withResolvers<void>()
  let attempts = 0
  const write = writerOver(() => {
    attempts++
    begun.resolve()
    return promise
  })
  const first = write(async () => 1)
  await begun.promise
  const behind = Array.from({ length: 100 }, () => write(async () => 1))
  nowMs += SILENCE_MS
  reject(failure('CONNECT_TIMEOUT'))
  for (const ended of await Promise.allSettled([first, ...behind])) expect(ended).toMatchObject(REFUSED)
  expect(attempts).toBe(1)
})

test('writers that wait behind one that failed at once get an attempt of their own', async () => {
  let attempts = 0
  const begun = Promise.withResolvers<void>()
  const { promise, reject } = Promise.withResolvers<never>()
  const write = writerOver(async () => {
    attempts++
    begun.resolve()
    return attempts === 1 ? promise : [{ tx: null, result: 'written' }]
  })
  const first = write(async () => 1)
  await begun.promise
  const second = write(async () => 1)
  reject(failure('ECONNRESET'))
  expect(await Promise.allSettled([first, second])).toMatchObject([REFUSED, { value: 'written' }])
})

test('a silent database is given up in time for the answer', () => {
  expect(SILENCE_MS).toBeLessThan(PROMISED_MS)
})

describe('writers of one group on a local file', () => {
  let folder: string
  let storage: Storage
  const committed: TransactionHandle[] = []
  beforeEach(async () => {
    committed.length = 0
    folder = mkdtempSync(join(tmpdir(), 'svc-write-'))
    storage = openSqliteFile(join(folder, 'a.db'), makeTables('sqlite', []), [])
    await storage.runScript(['CREATE TABLE t (id text PRIMARY KEY)'])
  })
  afterEach(async () => {
    await storage.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const rows = async () => (await storage.db.all<[string]>(sql`select id from t order by id`)).map((row) => row[0])
  const insert = ({ db }: TransactionHandle, id: string) => db.run(sql`insert into t values (${id})`)
  /** Begins all writers in one turn, so that they are one group. Counts how often each ran. */
  const writeTogether = async (works: readonly ((tx: TransactionHandle) => Promise<unknown>)[]) => {
    const begin = (handle: TransactionHandle) => ({ ...handle })
    const write = createWrite(storage, { begin, committed: (tx) => void committed.push(tx) })
    const runs = works.map(() => 0)
    const all = works.map((work, place) =>
      write((tx) => {
        runs[place] = (runs[place] ?? 0) + 1
        return work(tx)
      }),
    )
    return { results: await Promise.allSettled(all), runs }
  }
  const fail = async () => Promise.reject(new Error('no'))

  test('one that fails after it wrote leaves nothing, and all others are written once', async () => {
    const { results, runs } = await writeTogether([
      async (tx) => insert(tx, 'a').then(() => 'first'),
      (tx) => insert(tx, 'b').then(fail),
      async (tx) => insert(tx, 'c').then(rows),
    ])
    expect(results).toMatchObject([
      { value: 'first' },
      { reason: new Error('no') },
      { value: [] }, // A read beside the transaction sees nothing of it.
    ])
    expect(await rows()).toEqual(['a', 'c'])
    expect(committed).toHaveLength(2)
    expect(runs).toEqual([2, 2, 1]) // The group ended at the one that failed, and ran again.
  })

  test('one whose statement is refused leaves nothing, and the row of the other stays', async () => {
    const { results } = await writeTogether([
      (tx) => insert(tx, 'a'),
      (tx) => insert(tx, 'b').then(() => insert(tx, 'a')),
      (tx) => insert(tx, 'c'),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await rows()).toEqual(['a', 'c'])
  })

  test('one that fails before it wrote makes no other one run again', async () => {
    const { results, runs } = await writeTogether([(tx) => insert(tx, 'a'), fail, (tx) => insert(tx, 'c')])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await rows()).toEqual(['a', 'c'])
    expect(runs).toEqual([1, 1, 1])
  })
})
