import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { type TestContext, testContext } from '../../../test/support/context'
import { isPostgresRun } from '../../../test/support/postgres'
import type { Handle } from './handle'

let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
})
afterAll(() => ctx.close())

const projects = ({ db, tables }: Handle) => db.$count(tables.projects)
const add = (id: string) =>
  ctx.write(async (tx) => {
    const stamps = { createdAt: 1, updatedAt: 1 }
    const row = { id, slug: id, name: id, timezone: 'UTC', allowedOrigins: [], settings: {}, configVersion: 1 }
    await tx.db.insert(tx.tables.projects).values({ ...row, ...stamps })
  })

describe('a reading in a thread', () => {
  test('sees what was committed before it, and nothing that comes while it reads', async () => {
    await add('prj_before')
    const seen = await ctx.storage.readInThread(async (handle) => {
      const first = await projects(handle)
      await add('prj_meanwhile')
      return [first, await projects(handle)]
    })
    expect(seen).toEqual([1, 1])
    expect(await ctx.storage.readInThread(projects)).toBe(2)
  })

  test('that fails is told why, and the next one reads', async () => {
    const broken = ctx.storage.readInThread(({ db }) => db.select({ no: sql`nothing_there` }).from(ctx.tables.projects))
    await expect(broken).rejects.toThrow()
    await expect(ctx.storage.readInThread(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
    expect(await ctx.storage.readInThread(projects)).toBe(2)
  })

  test('comes after the one before it', async () => {
    const steps: string[] = []
    const read = (name: string) =>
      ctx.storage.readInThread(async (handle) => {
        steps.push(`${name} begins`)
        await projects(handle)
        steps.push(`${name} ends`)
      })
    await Promise.all([read('a'), read('b')])
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })

  test.skipIf(isPostgresRun())('tells how long its answers have held the main thread', async () => {
    const held: number[] = []
    const hold = (ms: number) => {
      for (const began = performance.now(); performance.now() - began < ms; );
    }
    await ctx.storage.readInThread(
      async (handle) => {
        await projects(handle)
        hold(20)
        await projects(handle)
        hold(30)
      },
      { held: (ms) => void held.push(ms) },
    )
    const [first = 0, second = 0, ...more] = held
    expect([first >= 20, second >= 30, more]).toEqual([true, true, []])
  })

  test('ends with the storage, whatever it still reads', async () => {
    const own = await testContext()
    const reading = own.storage.readInThread(countLong)
    await Promise.resolve()
    const closing = own.close()
    expect(await reading).toBe(200_000)
    await closing
  })

  test('ends at its next statement when its caller leaves, and the next one reads', async () => {
    const leaving = new AbortController()
    const steps: string[] = []
    const left = ctx.storage.readInThread(
      async (handle) => {
        await projects(handle)
        leaving.abort()
        steps.push('left')
        await projects(handle)
        steps.push('read on')
      },
      { group: 'a', signal: leaving.signal },
    )
    await expect(left).rejects.toMatchObject({ refusal: 'HTTP_ERROR' })
    expect(steps).toEqual(['left'])
    expect(await ctx.storage.readInThread(projects, { group: 'a' })).toBe(2)
  })

  test('of one project does not wait for one of another', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const holding = ctx.storage.readInThread(() => promise, { group: 'a' })
    const own = ctx.storage.readInThread(projects, { group: 'a' })
    expect(await ctx.storage.readInThread(projects, { group: 'b' })).toBe(2)
    expect(await Promise.race([own, settledSoon()])).toBe('waits')
    resolve()
    await holding
    expect(await own).toBe(2)
  })

  test.skipIf(!isPostgresRun())(
    'ends its running statement on PostgreSQL, and no other one of the connection',
    async () => {
      const leaving = new AbortController()
      const began = performance.now()
      const left = ctx.storage.readInThread(
        async ({ db }) => {
          setTimeout(() => leaving.abort(), 100)
          await (db as unknown as { execute(statement: unknown): Promise<unknown> }).execute(sql`select pg_sleep(6)`)
        },
        { group: 'a', signal: leaving.signal },
      )
      await expect(left).rejects.toMatchObject({ refusal: 'HTTP_ERROR' })
      expect(performance.now() - began).toBeLessThan(5500)
      const all = Array.from({ length: 20 }, () => ctx.storage.readInThread(projects, { group: 'a' }))
      expect(new Set(await Promise.all(all))).toEqual(new Set([await projects(ctx)]))
    },
  )

  test.skipIf(isPostgresRun())('holds up nobody else', async () => {
    let isRead = false
    const reading = ctx.storage.readInThread(countLong).then(() => {
      isRead = true
    })
    // These awaits never return to the event loop, so no message of the thread can arrive. A statement that ran in this
    // thread would have ended by now.
    for (let step = 0; step < 200; step++) await Promise.resolve()
    expect([isRead, await projects(ctx)]).toEqual([false, 2])
    await reading
  })
})

const settledSoon = async (): Promise<string> => {
  for (let step = 0; step < 20; step++) await new Promise(setImmediate)
  return 'waits'
}

/** A query that takes some hundredths of a second. */
async function countLong({ db }: Handle): Promise<number> {
  const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000) select count(*) as c from n`
  if (!isPostgresRun()) return Number((await db.all<[number]>(numbers))[0]?.[0] ?? 0)
  const rows = (await (db as unknown as { execute(statement: unknown): Promise<unknown> }).execute(numbers)) as Row[]
  return Number(rows[0]?.c)
}

type Row = { c: number }
