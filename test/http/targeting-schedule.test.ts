import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { HOUR, MINUTE } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { SLICES } from '../../src/slices'
import {
  createExperiment,
  type ExperimentInput,
  getExperimentView,
  updateExperiment,
} from '../../src/targeting/experiments/admin'
import { pauseExperiment, startExperiment } from '../../src/targeting/experiments/admin-actions'
import { sweepSchedules } from '../../src/targeting/experiments/schedule'
import { type Stage, stage } from '../support/cast'
import { configure, HALVES, variantsOf } from '../support/remote'
import { by, lastAudit, nothingWritten, targetingRows } from '../support/targeting'

let s: Stage
let at: number
beforeEach(async () => {
  s = await stage()
  at = s.ctx.clock.now()
})
afterEach(() => s.close())

const create = (input: Partial<ExperimentInput>) =>
  createExperiment(s.ctx, by(s), { key: 'e', name: 'E', type: 'FLAG', audienceId: null, variants: HALVES, ...input })
const read = (id: string) => getExperimentView(s.ctx, s.project.id, id)
const SCHEDULE = { kind: 'SCHEDULE', id: null, email: null }

test('starts and stops an experiment at its times, and says so in the audit log', async () => {
  const { id } = await create({ scheduledStartAt: at + HOUR, scheduledStopAt: at + 2 * HOUR })
  await nothingWritten(s, () => sweepSchedules(s.ctx))
  expect(await variantsOf(s, 'svc_e')).toEqual({})
  s.ctx.clock.set(at + HOUR)
  expect(await sweepSchedules(s.ctx)).toBe(1)
  expect(await read(id)).toMatchObject({ status: 'RUNNING', startedAt: new Date(at + HOUR).toISOString() })
  expect(Object.keys(await variantsOf(s, 'svc_e'))).toEqual(['e'])
  expect(await lastAudit(s)).toMatchObject([{ action: 'experiment.start', actor: SCHEDULE }])
  await nothingWritten(s, () => sweepSchedules(s.ctx))
  s.ctx.clock.set(at + 2 * HOUR)
  expect(await sweepSchedules(s.ctx)).toBe(1)
  expect(await read(id)).toMatchObject({ status: 'COMPLETED', winnerVariantId: null })
  expect(await variantsOf(s, 'svc_e')).toEqual({})
  expect(await lastAudit(s)).toMatchObject([{ action: 'experiment.stop', actor: SCHEDULE }])
  await nothingWritten(s, () => sweepSchedules(s.ctx))
})

test('a paused one stops too, and one that an operator started is not started again', async () => {
  const { id } = await create({ scheduledStartAt: at + HOUR, scheduledStopAt: at + 2 * HOUR })
  await startExperiment(s.ctx, by(s), id)
  await pauseExperiment(s.ctx, by(s), id)
  s.ctx.clock.set(at + HOUR)
  await nothingWritten(s, () => sweepSchedules(s.ctx))
  s.ctx.clock.set(at + 2 * HOUR)
  await sweepSchedules(s.ctx)
  expect((await read(id)).status).toBe('COMPLETED')
})

test('a time that was moved or taken away holds', async () => {
  const moved = await create({ key: 'moved', scheduledStartAt: at + HOUR })
  const freed = await create({ key: 'freed', scheduledStartAt: at + HOUR })
  await updateExperiment(s.ctx, by(s), moved.id, { scheduledStartAt: at + 3 * HOUR })
  await updateExperiment(s.ctx, by(s), freed.id, { scheduledStartAt: null })
  s.ctx.clock.set(at + HOUR + MINUTE)
  await nothingWritten(s, () => sweepSchedules(s.ctx))
})

test('several processes at once start each of them once', async () => {
  for (let n = 0; n < 5; n++) await create({ key: `e${n}`, scheduledStartAt: at + HOUR })
  s.ctx.clock.set(at + HOUR)
  const others = await Promise.all(
    [1, 2].map(() => createContext(s.ctx.config, { clock: s.ctx.clock, log: s.ctx.log })),
  )
  const moved = await Promise.all([s.ctx, ...others].map(sweepSchedules))
  expect(moved.reduce((sum, count) => sum + count)).toBe(5)
  const audit = await lastAudit(s, 100)
  expect(audit.filter(({ action }) => action === 'experiment.start')).toHaveLength(5)
  expect(audit.filter(({ action }) => action === 'experiment.unschedule')).toEqual([])
  for (const other of others) await other.close()
})

test('a start that is refused is told and not tried again, and the others go on', async () => {
  await configure(s, {
    experiments: [
      { id: 'exp_gone', key: 'gone', status: 'DRAFT', audienceId: 'aud_gone', scheduledStartAt: at },
      { id: 'exp_late', key: 'late', status: 'DRAFT', scheduledStartAt: at, scheduledStopAt: at },
      { id: 'exp_well', key: 'well', status: 'DRAFT', scheduledStartAt: at },
    ],
  })
  s.ctx.lines.length = 0
  expect(await sweepSchedules(s.ctx)).toBe(1)
  expect((await read('exp_well')).status).toBe('RUNNING')
  for (const id of ['exp_gone', 'exp_late'])
    expect(await read(id)).toMatchObject({ status: 'DRAFT', scheduledStartAt: null, startedAt: null })
  const entries = (await lastAudit(s, 10)).filter(({ action }) => action === 'experiment.unschedule')
  expect(entries).toMatchObject([
    {
      actor: SCHEDULE,
      before: { scheduledStartAt: new Date(at).toISOString() },
      after: { scheduledStartAt: null, refused: { code: 'VALIDATION_ERROR', details: { fields: ['audienceId'] } } },
    },
    { after: { refused: { details: { fields: ['scheduledStopAt'] } } } },
  ])
  expect(s.ctx.lines.filter((line) => line.includes('is not tried again'))).toHaveLength(2)
  await nothingWritten(s, () => sweepSchedules(s.ctx))
})

for (const variants of ['none', {}, [], [null], [{ id: 'a' }]])
  test(`one whose variants are broken in the tables stops too: ${JSON.stringify(variants)}`, async () => {
    const broken = { id: 'exp_1', key: 'broken', variants: variants as never, scheduledStopAt: at }
    await configure(s, { experiments: [broken] })
    expect(await sweepSchedules(s.ctx)).toBe(1)
    expect((await read('exp_1')).status).toBe('COMPLETED')
  })

test('one whose variants and metrics were set to the null of JSON stops too', async () => {
  await configure(s, { experiments: [{ id: 'exp_1', key: 'broken', scheduledStopAt: at }] })
  await s.ctx.write(async ({ db, tables }) => {
    await db.update(tables.experiments).set({ variants: sql`'null'`, metrics: sql`'null'` })
  })
  expect(await sweepSchedules(s.ctx)).toBe(1)
  expect((await read('exp_1')).status).toBe('COMPLETED')
})

test('what stops makes room for what starts, and a 51st is refused', async () => {
  await configure(s, {
    experiments: [
      ...Array.from({ length: 49 }, (_, n) => ({ key: `e_${n}` })),
      { key: 'ends', scheduledStopAt: at },
      { id: 'exp_1', key: 'first', status: 'DRAFT' as const, scheduledStartAt: at - 2 },
      { id: 'exp_2', key: 'second', status: 'DRAFT' as const, scheduledStartAt: at - 1 },
    ],
  })
  expect(await sweepSchedules(s.ctx)).toBe(2)
  expect([(await read('exp_1')).status, (await read('exp_2')).status]).toEqual(['RUNNING', 'DRAFT'])
  expect((await lastAudit(s))[0]).toMatchObject({ after: { refused: { code: 'CONFLICT' } } })
})

test('projects that are gone are passed over, suspended ones are not', async () => {
  const { projects } = s.ctx.tables
  await configure(s, { experiments: [{ id: 'exp_1', status: 'DRAFT', scheduledStartAt: at }] })
  await s.ctx.write((tx) => tx.db.update(projects).set({ deletedAt: 1 }))
  const before = await targetingRows(s)
  expect(await sweepSchedules(s.ctx)).toBe(0)
  expect(await targetingRows(s)).toEqual(before)
  await s.ctx.write((tx) => tx.db.update(projects).set({ deletedAt: null, suspendedAt: 1 }))
  expect(await sweepSchedules(s.ctx)).toBe(1)
})

test('the clock of every server calls it', () => {
  expect(SLICES.flatMap(({ cron }) => cron ?? []).map(({ name }) => name)).toContain('experiment-schedules')
})
