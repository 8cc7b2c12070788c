import { afterEach, beforeEach, expect, test } from 'bun:test'
import { importSteps } from '../../src/moving/imports/steps'
import { work } from '../support/accounts'
import { findTexts } from '../support/byte-search'
import { type Stage, stage } from '../support/cast'
import { erase } from '../support/erased'
import { type ImportStage, importStage, rowsOf } from '../support/import-stage'

// What people do at the same moment.

let s: Stage
let i: ImportStage
beforeEach(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  i = importStage(s)
  s.ctx.state.importSteps = importSteps
})
afterEach(() => s.close())

async function tried(count: number): Promise<string> {
  s.ctx.clock.advance(61_000) // Changes are limited to five a minute.
  const { id } = await i.make(rowsOf(count))
  await i.act(id, 'dry-run')
  await i.worked(id)
  return id
}

const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()
const purchases = async () => (await s.ctx.db.select().from(s.ctx.tables.purchases)).length

test('of two commits at once one counts, and every row is written once', async () => {
  const id = await tried(300)
  expect(statusesOf(await Promise.all([i.act(id, 'commit'), i.act(id, 'commit')]))).toEqual([202, 409])
  const job = await i.worked(id)
  expect(job).toMatchObject({ status: 'COMPLETED', counters: { rows: 300, subscribersNew: 300, purchasesNew: 300 } })
  expect(await purchases()).toBe(300)
})

test('two imports of the same rows at once write each row once', async () => {
  const ids = [await tried(300), await tried(300)]
  await Promise.all(ids.map((id) => i.act(id, 'commit')))
  await Promise.all([work(s), work(s)])
  s.ctx.clock.advance(61_000) // One of them waits for the other.
  const jobs = []
  for (const id of ids) jobs.push(await i.worked(id))
  expect(jobs.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED'])
  const made = jobs.map(({ counters }) => counters.purchasesNew)
  expect([made[0] + made[1], await purchases()]).toEqual([300, 300])
})

test('an import is not taken back while its rows are written, and is afterwards', async () => {
  const id = await tried(600)
  await i.act(id, 'commit')
  const during: number[] = []
  s.ctx.state.importSteps = {
    ...importSteps,
    async commitBatch(tx, ...given) {
      const result = await importSteps.commitBatch(tx, ...given)
      tx.afterCommit(() => void i.act(id, 'undo').then(({ status }) => during.push(status)))
      return result
    },
  }
  expect((await i.worked(id)).status).toBe('COMPLETED')
  expect(during.length).toBeGreaterThan(0)
  expect(during.every((status) => status === 409 || status === 429)).toBe(true)
  expect(await purchases()).toBe(600)
  s.ctx.clock.advance(61_000)
  expect(statusesOf(await Promise.all([i.act(id, 'undo'), i.act(id, 'undo')]))).toEqual([202, 409])
  expect(await i.worked(id)).toMatchObject({ status: 'CANCELLED', undone: { purchasesRemoved: 600 } })
  expect(await purchases()).toBe(0)
})

test('somebody who is erased while rows are written stays erased', async () => {
  const { body } = await s.post('/v1/identify', { deviceKey: 'svc_erased', appUserId: 'person_590' })
  const id = await tried(600)
  await i.act(id, 'commit')
  // It is tried again while the import reads a file that names the person.
  let erased: Promise<string | null> | null = null
  s.ctx.state.importSteps = {
    ...importSteps,
    async commitBatch(tx, ...given) {
      tx.afterCommit(() => {
        erased ??= erase(s, body.data.subscriberId).catch(() => null)
      })
      return importSteps.commitBatch(tx, ...given)
    },
  }
  expect((await i.worked(id)).status).toBe('COMPLETED')
  await erased
  expect(await erase(s, body.data.subscriberId)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  const people = await s.ctx.db.select().from(s.ctx.tables.subscribers)
  expect(people.filter(({ appUserId }) => appUserId === 'person_590')).toEqual([])
  expect(people.find((one) => one.id === body.data.subscriberId)?.erasedAt).not.toBeNull()
  const again = await tried(600)
  await i.act(again, 'commit')
  expect((await i.worked(again)).counters).toMatchObject({ subscribersNew: 0, purchasesNew: 0 })
})

/** Rows that also say something about the person. */
const withMail = (count: number): string => {
  const [header = '', ...lines] = rowsOf(count).trimEnd().split('\n')
  return [`${header},email`, ...lines.map((line, n) => `${line},person_${n + 1}@mail.test`), ''].join('\n')
}

async function triedText(text: string): Promise<string> {
  s.ctx.clock.advance(61_000)
  const { id } = await i.make(text)
  await i.act(id, 'dry-run')
  await i.worked(id)
  return id
}

/** Begins the erasure of a person when the writing of the first batch comes to its first lock. */
function eraseAtFirstLock(subscriberId: string): { hasBegun(): boolean } {
  let erased: Promise<unknown> | null = null
  s.ctx.state.importSteps = {
    ...importSteps,
    commitBatch: (tx, ...given) =>
      importSteps.commitBatch(
        {
          ...tx,
          async lock(name) {
            if (name.startsWith('purchase:')) {
              erased ??= erase(s, subscriberId).catch(() => null)
              await erased
            }
            await tx.lock(name)
          },
        },
        ...given,
      ),
  }
  return { hasBegun: () => erased !== null }
}

const named = 'svc_erased_5'
const identify = async () =>
  (await s.post('/v1/identify', { deviceKey: named, appUserId: 'person_5' })).body.data.subscriberId as string

async function expectErased(id: string): Promise<void> {
  const { subscribers: t } = s.ctx.tables
  const row = (await s.ctx.db.select().from(t)).find((one) => one.id === id)
  expect([row?.erasedAt === null, row?.appUserId === 'person_5', row?.attributes]).toEqual([false, false, {}])
  expect(await findTexts(s.ctx, ['person_5@mail.test'])).toEqual([])
}

test('nothing of a person who is erased between the reading and the writing of a batch comes back', async () => {
  const id = await identify()
  const job = await triedText(withMail(20))
  await i.act(job, 'commit')
  const race = eraseAtFirstLock(id)
  const { status, counters } = await i.worked(job)
  // On SQLite nothing is locked: a batch is one turn of the only writer.
  const skipped = race.hasBegun() ? 1 : 0
  expect([status, counters.skipped, counters.purchasesNew]).toEqual(['COMPLETED', skipped, 20 - skipped])
  await erase(s, id)
  await expectErased(id)
})

test('nothing of a person who was erased before a batch comes back, and they are skipped', async () => {
  const id = await identify()
  const job = await triedText(withMail(20))
  await i.act(job, 'commit')
  await erase(s, id).catch(() => null)
  expect((await i.worked(job)).counters).toMatchObject({ subscribersNew: 19, purchasesNew: 19, skipped: 1 })
  await expectErased(id)
})

test('an erasure that is repeated while an import is at work waits for it, though the names are not known any more', async () => {
  const id = await identify()
  const job = await triedText(withMail(20))
  await i.act(job, 'commit')
  for (const _ of [1, 2]) await expect(erase(s, id)).rejects.toThrow('still read by')
  await i.worked(job)
  await erase(s, id)
  expect([...i.blobs.held.keys()].filter((key) => key.includes(job))).toEqual([])
})
