import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { Connection } from './connection'
import type { Db, Storage } from './handle'
import { openSqliteFile } from './sqlite-file'
import { makeTables } from './tables'

const SEED = 20261122

let folder: string
let storage: Storage
/** What another process does with the file. */
let other: Connection
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-turn-'))
  storage = openSqliteFile(join(folder, 'a.db'), makeTables('sqlite', []), [])
  await storage.runScript(['CREATE TABLE t (id integer PRIMARY KEY, v integer)', 'INSERT INTO t VALUES (1, 0)'])
  other = new Connection(join(folder, 'a.db'), 500)
})
afterAll(async () => {
  other.close()
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await nextTurn()
  await write(0)
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const valueIn = async (db: Db): Promise<number> => Number((await db.all<[number]>(sql`select v from t`))[0]?.[0])
const read = () => valueIn(storage.db)
const set = (db: Db, value: number) => db.run(sql`update t set v = ${value}`)
const write = (value: number) => storage.transaction(async ({ db }) => void (await set(db, value)))
const writeElsewhere = (value: number) => void other.run('update t set v = ?', [value])

describe('a read of a local file', () => {
  test('sees a commit of this process at once, in the same turn', async () => {
    expect(await read()).toBe(0)
    await write(1)
    expect(await read()).toBe(1)
  })

  test('sees no change of an open transaction, and the change after its commit', async () => {
    const seen: number[] = []
    await storage.transaction(async ({ db }) => {
      seen.push(await read())
      await set(db, 2)
      seen.push(await read(), await valueIn(db))
    })
    expect([...seen, await read()]).toEqual([0, 0, 2, 2])
  })

  test('sees no change of a transaction that failed', async () => {
    await expect(
      storage.transaction(async ({ db }) => {
        await set(db, 3)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await read()).toBe(0)
  })

  test('sees the state of its turn, and what another process committed from the next turn on', async () => {
    expect(await read()).toBe(0)
    writeElsewhere(4)
    expect(await read()).toBe(0)
    await nextTurn()
    expect(await read()).toBe(4)
  })

  test('after a call has arrived, sees what another process committed before it, in the same turn too', async () => {
    expect(await read()).toBe(0)
    writeElsewhere(4)
    storage.refresh()
    expect(await read()).toBe(4)
    await storage.transaction(async ({ db }) => {
      await set(db, 5)
      storage.refresh()
      expect([await read(), await valueIn(db)]).toEqual([4, 5])
    })
    expect(await read()).toBe(5)
  })

  test('sees what another process committed while a write here found the file locked', async () => {
    other.exec('BEGIN IMMEDIATE')
    writeElsewhere(4)
    await expect(write(5)).rejects.toThrow('locked')
    expect(await read()).toBe(0)
    await nextTurn()
    other.exec('COMMIT')
    expect(await read()).toBe(4)
    await nextTurn()
    expect(await read()).toBe(4)
  })

  test('keeps no lock after its turn', async () => {
    await read()
    await write(5)
    await read()
    await nextTurn()
    expect(other.run('PRAGMA wal_checkpoint(TRUNCATE)', [])).toEqual([[0, 0, 0]])
  })

  test('is in the way of no pragma', async () => {
    await read()
    expect(await storage.db.all<unknown[]>(sql`PRAGMA wal_checkpoint(PASSIVE)`)).toHaveLength(1)
  })

  test('that fails leaves reads and writes as they were', async () => {
    await expect(Promise.resolve(storage.db.all(sql`select nothing from t`))).rejects.toThrow()
    expect(await read()).toBe(0)
    await write(6)
    expect(await read()).toBe(6)
  })
})

/** Rolled back, so nobody may ever read it. */
const NEVER = -1

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant('read' as const) },
  { weight: 2, arbitrary: fc.constant('write' as const) },
  { weight: 1, arbitrary: fc.constant('fail' as const) },
  { weight: 2, arbitrary: fc.constant('elsewhere' as const) },
  { weight: 2, arbitrary: fc.constant('turn' as const) },
  { weight: 2, arbitrary: fc.constant('call' as const) },
)

/** Runs steps one after the other. Each commit writes a higher number than all before it. */
async function follow(
  steps: readonly ('read' | 'write' | 'fail' | 'elsewhere' | 'turn' | 'call')[],
  next: () => number,
) {
  let known = 0 // The number of the last commit that this caller must see.
  let written = 0 // The highest number that may be seen by now.
  let elsewhere = 0
  const expectRead = async () => {
    const least = known
    const value = await read()
    expect(value).toBeGreaterThanOrEqual(least)
    expect(value).toBeLessThanOrEqual(Math.max(written, elsewhere))
  }
  const inTransaction = async (db: Db, value: number) => {
    await set(db, value)
    expect(await valueIn(db)).toBe(value)
    await expectRead()
  }
  for (const kind of steps) {
    if (kind === 'read') await expectRead()
    else if (kind === 'write') {
      const value = next()
      await storage.transaction(({ db }) => inTransaction(db, value))
      known = written = value
    } else if (kind === 'fail') {
      const failing = storage.transaction(async ({ db }) => {
        await inTransaction(db, NEVER)
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
    } else if (kind === 'elsewhere') {
      elsewhere = next()
      writeElsewhere(elsewhere)
    } else {
      await (kind === 'call' ? storage.refresh() : nextTurn())
      known = Math.max(known, elsewhere)
    }
  }
}

test('no read sees an uncommitted state or one older than an own commit, and another process is seen a turn later, or by the next call', async () => {
  const law = async (steps: Parameters<typeof follow>[0]) => {
    await nextTurn()
    await write(0)
    let last = 0
    await follow(steps, () => ++last)
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), law), { seed: SEED, numRuns: 150 })
})

test('readers beside many writers see each number once it is committed, and never go back', async () => {
  let last = 0
  let isDone = false
  const reader = async () => {
    for (let [seen, count] = [0, 0]; !isDone; count++) {
      const least = Math.max(seen, last)
      seen = await read()
      expect(seen).toBeGreaterThanOrEqual(least)
      if (count % 3 === 0) await nextTurn()
    }
  }
  const readers = Array.from({ length: 5 }, reader)
  for (let value = 1; value <= 200; value++) {
    await storage.transaction(async ({ db }) => {
      await set(db, NEVER)
      await nextTurn()
      await set(db, value)
    })
    last = value
    if (value % 7 === 0) await nextTurn()
  }
  isDone = true
  await Promise.all(readers)
})
