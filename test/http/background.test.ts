import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { startBackground } from '../../src/background'
import type { Driver } from '../../src/base/db/handle'
import { createContext } from '../../src/create-context'
import { queueMail } from '../../src/operators/mail/queue-mail'
import { touchConfig } from '../../src/projects/project/service'
import { type Stage, stage } from '../support/cast'
import { isPostgresRun } from '../support/postgres'
import { configure, flagsOf, variantsOf } from '../support/remote'
import { mailServer } from '../support/smtp'
import { openStream } from '../support/stream'

// The tests read the intervals of the server's loops from its timers; no time passes.

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const action of undo.splice(0).reverse()) await action()
})

/** A stage with the loops of a server for a driver. `turn` runs once each loop with this interval. */
async function looped(
  driver?: Driver,
  env: Record<string, string> = {},
  before: (s: Stage) => Promise<unknown> = async () => {},
): Promise<{ s: Stage; turn(everyMs: number): void }> {
  const s = await stage({ env })
  await before(s)
  const storage = Object.create(s.ctx.storage, driver ? { driver: { value: driver } } : {})
  const asked: { work: () => void; ms: number }[] = []
  const timers = spyOn(globalThis, 'setInterval').mockImplementation(((work: () => void, ms: number) => {
    asked.push({ work, ms })
  }) as unknown as typeof setInterval)
  const background = startBackground(Object.create(s.ctx, { storage: { value: storage } }))
  timers.mockRestore()
  undo.push(() => background.stop())
  const turn = (everyMs: number) => {
    for (const { work, ms } of asked) if (ms <= everyMs) work()
  }
  return { s, turn }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(5)
}

describe('what another process changes is looked for at least every second', () => {
  for (const driver of isPostgresRun() ? (['postgres'] as const) : (['file', 'replica', 'remote'] as const))
    test(`on the driver ${driver}`, async () => {
      const { s, turn } = await looped(driver)
      await configure(s, { flags: [{ key: 'kept' }] })
      expect(await flagsOf(s, 'svc_watch')).toEqual({ kept: false })
      const beside = await createContext(s.ctx.config, { clock: s.ctx.clock, log: s.ctx.log })
      undo.push(() => beside.close())
      const { flags } = s.ctx.tables
      await beside.write(async (tx) => {
        await tx.db.update(flags).set({ defaultValue: true, updatedAt: sql`${flags.updatedAt} + 1` })
        await touchConfig(tx, s.project.id)
      })
      expect(await flagsOf(s, 'svc_watch')).toEqual({ kept: false })
      turn(1000)
      await until(async () => (await flagsOf(s, 'svc_watch')).kept === true)
    })
})

test('assignments are written at least every half second', async () => {
  const { s, turn } = await looped()
  await configure(s, { experiments: [{ key: 'checkout_test' }] })
  const rows = () => s.ctx.db.select().from(s.ctx.tables.assignments)
  await variantsOf(s, 'svc_ada')
  expect(await rows()).toEqual([])
  turn(500)
  await until(async () => (await rows()).length === 1)
})

test('streams are pinged at least every 25 seconds', async () => {
  const { s, turn } = await looped()
  const stream = await openStream(s, 'subscriberId=svc_ada')
  undo.push(() => stream.leave())
  expect((await stream.next())?.event).toBe('initial')
  turn(25_000)
  expect((await stream.next())?.event).toBe('ping')
})

test('mail that waits is sent when a process starts, and then after each commit', async () => {
  const server = await mailServer()
  undo.push(() => server.close())
  const write = (s: Stage, to: string) =>
    s.ctx.write((tx) => queueMail(tx, { kind: 'test', to, subject: 'Hello', paragraphs: ['Hello.'] }))
  const env = { SVC_SMTP_URL: server.url, SVC_MAIL_FROM: 'svc@example.com' }
  const { s } = await looped(undefined, env, (waiting) => write(waiting, 'early@example.com'))
  await until(async () => server.received.length === 1)
  await write(s, 'late@example.com')
  await until(async () => server.received.length === 2)
  expect(server.received.flatMap(({ to }) => to)).toEqual(['early@example.com', 'late@example.com'])
})
