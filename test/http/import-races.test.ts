import { afterEach, beforeEach, expect, test } from 'bun:test'
import { importSteps } from '../../src/moving/imports/steps'
import { work } from '../support/accounts'
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
