import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Column, like, sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { Tx } from '../../src/base/context'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { identify, rowOf } from '../support/facts'
import { hasSqld, type Sqld, startSqld } from '../support/sqld'

const isOurs = (tag: Column) => like(tag, 't-%')

// On a libSQL server a write that returns nothing is sent with the next statement. What fails must fail for its own
// writer, and nothing of it may stay.
for (const kind of ['remote', 'replica'] as const)
  describe.skipIf(!hasSqld())(`writes on a ${kind}`, () => {
    let sqld: Sqld
    let s: Stage
    let folder: string
    beforeAll(async () => {
      sqld = await startSqld()
      folder = mkdtempSync(join(tmpdir(), 'svc-replica-'))
      const replica = kind === 'replica' ? { SVC_DATABASE_REPLICA: join(folder, 'replica.db') } : {}
      s = await stage({ env: { SVC_DATABASE_URL: sqld.url, ...replica } })
    })
    afterAll(async () => {
      await s.close()
      rmSync(folder, { recursive: true, force: true })
    })
    afterEach(() =>
      s.ctx.write(
        async (tx) => void (await tx.db.delete(tx.tables.migrations).where(isOurs(tx.tables.migrations.tag))),
      ),
    )

    const insert = (tx: Tx, tag: string) => tx.db.insert(tx.tables.migrations).values({ tag, hash: 'x' })
    const tags = async () => {
      const { migrations } = s.ctx.tables
      const rows = await s.ctx.db.select({ tag: migrations.tag }).from(migrations).where(isOurs(migrations.tag))
      return rows.map(({ tag }) => tag).sort()
    }
    const outcomes = (works: ((tx: Tx) => Promise<unknown>)[]) =>
      Promise.allSettled(works.map((work) => s.ctx.write(work))).then((all) => all.map(({ status }) => status))

    test('a write that breaks a rule of the database fails, and its whole transaction with it', async () => {
      await s.ctx.write((tx) => insert(tx, 't-1'))
      const twice = async (tx: Tx) => {
        await insert(tx, 't-2')
        await insert(tx, 't-1')
      }
      expect(await outcomes([twice])).toEqual(['rejected'])
      expect(await tags()).toEqual(['t-1'])
    })

    test('in a group the writers beside it are not touched', async () => {
      await s.ctx.write((tx) => insert(tx, 't-1'))
      const works = ['t-2', 't-1', 't-3'].map((tag) => (tx: Tx) => insert(tx, tag))
      expect(await outcomes(works)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(await tags()).toEqual(['t-1', 't-2', 't-3'])
    })

    test('what a writer did before it refused is undone, sent or not', async () => {
      const refuse = (isSent: boolean) => async (tx: Tx) => {
        await insert(tx, 't-5')
        if (isSent) await tx.db.select().from(tx.tables.migrations).limit(1)
        await insert(tx, 't-6')
        throw new Error('refused')
      }
      const keep = (tag: string) => (tx: Tx) => insert(tx, tag)
      const works = [keep('t-1'), refuse(false), keep('t-2'), refuse(true), keep('t-3'), async () => {}]
      const expected = ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']
      expect(await outcomes(works)).toEqual(expected as Awaited<ReturnType<typeof outcomes>>)
      expect(await outcomes([refuse(false)])).toEqual(['rejected'])
      expect(await outcomes([refuse(true)])).toEqual(['rejected'])
      expect(await tags()).toEqual(['t-1', 't-2', 't-3'])
    })

    test('a transaction reads its own writes, in the order in which they were made', async () => {
      const seen = await s.ctx.write(async (tx) => {
        const { migrations } = tx.tables
        const read = () => tx.db.select().from(migrations).where(isOurs(migrations.tag))
        await insert(tx, 't-1')
        const first = (await read()).length
        await insert(tx, 't-2')
        const [second, third] = await Promise.all([read(), read()])
        await tx.db.delete(migrations).where(isOurs(migrations.tag))
        return [first, second.length, third.length, (await read()).length]
      })
      expect(seen).toEqual([1, 2, 2, 0])
    })

    test('whoever has an answer reads what it says, at once', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 }), async (labels) => {
          for (const label of labels) {
            const device = `svc_${label}`
            expect((await identify(s, device, `user-${label}`)).status).toBe(200)
            expect((await rowOf(s, device)).appUserId).toBe(`user-${label}`)
          }
        }),
        { numRuns: 10 },
      )
    })

    test('reads at once share requests, and one that fails fails alone', async () => {
      await s.ctx.write((tx) => insert(tx, 't-1'))
      const bad = () => s.ctx.db.run(sql`select nope from svc_migrations`)
      const reads = [tags(), bad(), tags(), ...Array.from({ length: 200 }, tags), bad()]
      const settled = await Promise.allSettled(reads)
      expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(2)
      for (const one of settled) if (one.status === 'fulfilled') expect(one.value).toEqual(['t-1'])
    })

    test.skipIf(kind === 'remote')('a replica serves reads while its server is away', async () => {
      await s.receipt('svc_ada', s.buy(MONTHLY))
      await sqld.kill()
      const answer = await s.get('/v1/me/entitlements', 'svc_ada')
      expect([answer.status, Object.keys(answer.body.data.entitlements)]).toEqual([200, ['pro']])
      expect((await s.receipt('svc_ada', s.buy(MONTHLY))).status).toBe(503)
      await sqld.restart()
    })
  })
