import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createAudience } from '../../src/targeting/audiences/admin'
import {
  createExperiment,
  deleteExperiment,
  type ExperimentInput,
  getExperimentView,
  listExperimentViews,
  updateExperiment,
} from '../../src/targeting/experiments/admin'
import {
  duplicateExperiment,
  pauseExperiment,
  resumeExperiment,
  startExperiment,
  stopExperimentNow,
} from '../../src/targeting/experiments/admin-actions'
import { createFlag, listFlagViews } from '../../src/targeting/flags/admin'
import { type Stage, stage } from '../support/cast'
import { clearRemote, configure, flagsOf, HALVES, variantsOf } from '../support/remote'
import { by, lastAudit, nothingWritten, refused } from '../support/targeting'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())
beforeEach(() => clearRemote(s))

const PLAIN: ExperimentInput = { key: 'e', name: 'E', type: 'FLAG', audienceId: null, variants: HALVES }
const create = (input: object = {}, projectId = s.project.id) =>
  createExperiment(s.ctx, by(s, projectId), { ...PLAIN, ...input } as ExperimentInput)
const update = (id: string, change: object) => updateExperiment(s.ctx, by(s), id, change)
const start = (id: string) => startExperiment(s.ctx, by(s), id)
const pause = (id: string) => pauseExperiment(s.ctx, by(s), id)
const resume = (id: string) => resumeExperiment(s.ctx, by(s), id)
const stop = (id: string, request = {}) => stopExperimentNow(s.ctx, by(s), id, request)
const duplicate = (id: string) => duplicateExperiment(s.ctx, by(s), id)
const remove = (id: string) => deleteExperiment(s.ctx, by(s), id)
const now = () => new Date(s.ctx.clock.now()).toISOString()

describe('the life of an experiment', () => {
  test('from draft to its end, each step with its audit row and in the next answer', async () => {
    const made = await create({ metrics: ['purchase', 'purchase'], mutualExclusionGroup: 'g' })
    expect(made).toMatchObject({ status: 'DRAFT', metrics: ['purchase'], startedAt: null, winnerVariantId: null })
    const { id } = made
    expect(await variantsOf(s, 'svc_e')).toEqual({})
    s.ctx.clock.advance(1000)
    expect(await start(id)).toMatchObject({ status: 'RUNNING', startedAt: now(), updatedAt: now() })
    const [variant] = Object.values(await variantsOf(s, 'svc_e'))
    expect(['a', 'b']).toContain(variant as string)
    await pause(id)
    expect(await variantsOf(s, 'svc_e')).toEqual({})
    s.ctx.clock.advance(1000)
    const resumed = await resume(id)
    expect(Date.parse(now()) - Date.parse(resumed.startedAt ?? '')).toBe(1000)
    expect(await variantsOf(s, 'svc_e')).toEqual({ e: variant as string })
    expect(await stop(id, { winnerVariantId: 'b' })).toMatchObject({
      status: 'COMPLETED',
      completedAt: now(),
      winnerVariantId: 'b',
    })
    expect(await variantsOf(s, 'svc_e')).toEqual({})
    expect(await flagsOf(s, 'svc_e')).toEqual({})
    expect(await lastAudit(s, 5)).toMatchObject([
      { action: 'experiment.create', before: null, after: { key: 'e', status: 'DRAFT', audience: null } },
      { action: 'experiment.start', before: { status: 'DRAFT' }, after: { status: 'RUNNING' } },
      { action: 'experiment.pause', before: { status: 'RUNNING' }, after: { status: 'PAUSED' } },
      { action: 'experiment.resume', before: { status: 'PAUSED' }, after: { status: 'RUNNING' } },
      {
        action: 'experiment.stop',
        before: { status: 'RUNNING' },
        after: { status: 'COMPLETED', winnerVariantId: 'b' },
      },
    ])
  })

  test('a draft can change in everything, and go', async () => {
    const { id: audienceId } = await createAudience(s.ctx, by(s), { name: 'Some', rules: {} })
    const { id } = await create()
    const variants = [
      { id: 'x', name: 'X', weight: 0.5, value: 'standard' },
      { id: 'y', name: 'Y', weight: 0.5, value: 'other' },
    ]
    const { details } = await refused(s, () => update(id, { type: 'OFFERING', variants }))
    expect(details).toEqual({ resource: 'offering', ids: ['other'] })
    const changed = await update(id, { key: 'e2', name: 'N', audienceId, metrics: ['m'] })
    expect(changed).toMatchObject({ key: 'e2', name: 'N', audienceId, metrics: ['m'], variants: HALVES })
    expect(await getExperimentView(s.ctx, s.project.id, id)).toEqual(changed)
    await remove(id)
    expect((await refused(s, () => getExperimentView(s.ctx, s.project.id, id))).status).toBe(404)
    expect((await lastAudit(s))[0]).toMatchObject({
      action: 'experiment.delete',
      before: { audience: 'Some' },
      after: null,
    })
  })

  test('a running one can be edited, but for key and type', async () => {
    const { id } = await create()
    await start(id)
    const [a, b] = HALVES
    const variants = [
      { ...a, weight: 0.2 },
      { ...b, weight: 0.8 },
    ]
    expect(await update(id, { name: 'N', variants, key: 'e', type: 'FLAG' })).toMatchObject({ name: 'N', variants })
    const { status, code, details, message } = await refused(s, () => update(id, { key: 'f', type: 'OFFERING' }))
    expect([status, code, details.fields]).toEqual([400, 'VALIDATION_ERROR', ['key', 'type']])
    expect(message).toContain('key is fixed once the experiment has started')
  })

  test('a change to the same writes nothing', async () => {
    const { id } = await create({ metrics: ['m'] })
    for (const change of [{}, { name: 'E' }, { metrics: ['m', 'm'] }, { variants: HALVES, audienceId: null }])
      await nothingWritten(s, () => update(id, change))
  })

  test('lists are newest first', async () => {
    for (const key of ['e1', 'e2', 'e3']) await create({ key })
    const { items, hasMore } = await listExperimentViews(s.ctx, s.project.id, { limit: 2 })
    expect([items.map(({ key }) => key), hasMore]).toEqual([['e3', 'e2'], true])
  })
})

describe('the table of actions', () => {
  const ACTIONS = { edit: (id: string) => update(id, { name: 'N' }), start, pause, resume, stop, delete: remove }
  const ALLOWED: Record<string, string[]> = {
    edit: ['DRAFT', 'RUNNING'],
    start: ['DRAFT'],
    pause: ['RUNNING'],
    resume: ['PAUSED'],
    stop: ['RUNNING', 'PAUSED'],
    delete: ['DRAFT'],
  }
  for (const [action, act] of Object.entries(ACTIONS))
    for (const status of ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED'] as const)
      test(`${action} of one that is ${status}`, async () => {
        await configure(s, { experiments: [{ id: 'exp_1', key: 'e', status }] })
        if (ALLOWED[action]?.includes(status)) await act('exp_1')
        else
          expect(await refused(s, () => act('exp_1'))).toMatchObject({
            status: 400,
            code: 'EXPERIMENT_STATE',
            details: { action, status },
          })
      })

  test('none of them reaches another project', async () => {
    const theirs = await create({}, s.other.id)
    for (const act of [...Object.values(ACTIONS), duplicate])
      for (const id of [theirs.id, 'exp_none']) expect((await refused(s, () => act(id))).status).toBe(404)
  })

  test('two at once: one starts it', async () => {
    const { id } = await create()
    const answers = await Promise.allSettled([start(id), start(id), start(id)])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('is refused with its place, and nothing is written:', () => {
  const [a, b] = HALVES
  const cases: [fact: string, change: object, places: string[]][] = [
    ['a key with a slash', { key: 'a/b' }, ['key']],
    ['a key that maps lose', { key: '__proto__' }, ['key']],
    ['no type', { type: 'NONE' }, ['type']],
    ['a blank name', { name: ' ' }, ['name']],
    ['half a character', { name: '\ud83d' }, ['name']],
    ['an unknown audience', { audienceId: 'aud_x' }, ['audienceId']],
    ['one variant', { variants: [{ ...a, weight: 1 }] }, ['variants']],
    ['21 variants', { variants: Array(21).fill(a) }, ['variants']],
    ['weights of 0.9', { variants: [a, { ...b, weight: 0.4 }] }, ['variants']],
    ['an id of ours', { variants: [{ ...a, id: '__holdout__' }, b] }, ['variants[0].id']],
    ['one id twice', { variants: [a, { ...b, id: 'a' }] }, ['variants[1].id']],
    ['all values alike', { variants: [a, { ...b, value: 1 }] }, ['variants']],
    ['variants that are no list', { variants: 'two' }, ['variants']],
    ['metrics that are no list', { metrics: 'purchase' }, ['metrics']],
    ['a blank metric', { metrics: ['a', ''] }, ['metrics[1]']],
    ['51 metrics', { metrics: Array(51).fill('m') }, ['metrics']],
    ['a blank group', { mutualExclusionGroup: '' }, ['mutualExclusionGroup']],
    ['a placement that is no text', { placementId: 5 }, ['placementId']],
    ['a placement that is not there', { placementId: 'any text' }, ['placementId']],
    ['a start that has passed', { scheduledStartAt: 5 }, ['scheduledStartAt']],
    ['a stop that is no time', { scheduledStopAt: 'soon' }, ['scheduledStopAt']],
    ['a stop before the start', { scheduledStartAt: 9e12, scheduledStopAt: 8e12 }, ['scheduledStopAt']],
    ['several at once', { key: '', name: '', variants: 1 }, ['key', 'variants', 'name']],
  ]
  for (const [fact, change, places] of cases)
    test(fact, async () => {
      const { id } = await create({ key: 'saved' })
      for (const call of [() => create(change), () => update(id, change)]) {
        const { status, code, details, message } = await refused(s, call)
        expect([status, code, details.fields]).toEqual([400, 'VALIDATION_ERROR', places])
        expect(message).toStartWith(places[0] ?? '')
      }
    })

  test('a placement of another project; one of its own is taken by id and identifier', async () => {
    const now = s.ctx.clock.now()
    const row = {
      identifier: 'home',
      name: 'Home',
      rows: [],
      isActive: true,
      revision: 1,
      createdAt: now,
      updatedAt: now,
    }
    const rows = [
      { ...row, id: 'plc_theirs', projectId: s.other.id, identifier: 'theirs' },
      { ...row, id: 'plc_own', projectId: s.project.id },
    ]
    await s.ctx.write(async (tx) => void (await tx.db.insert(tx.tables.placements).values(rows)))
    const { id } = await create({ key: 'placed' })
    for (const placementId of ['plc_theirs', 'theirs'])
      expect((await refused(s, () => update(id, { placementId }))).details.fields).toEqual(['placementId'])
    expect((await getExperimentView(s.ctx, s.project.id, id)).placementId).toBeNull()
    for (const placementId of ['plc_own', 'home', null])
      expect((await update(id, { placementId })).placementId).toBe(placementId)
  })

  test('offerings and funnels that are not there', async () => {
    const offerings = [a, b].map((variant, n) => ({ ...variant, value: n === 0 ? 'standard' : 'gone' }))
    const first = await refused(s, () => create({ type: 'OFFERING', variants: offerings }))
    expect(first).toMatchObject({
      status: 400,
      code: 'UNKNOWN_REFERENCES',
      details: { resource: 'offering', ids: ['gone'] },
    })
    const funnels = [a, b].map((variant, n) => ({ ...variant, value: { funnelId: `fnl_${n}` } }))
    const second = await refused(s, () => create({ type: 'FUNNEL', variants: funnels }))
    expect(second).toMatchObject({
      code: 'UNKNOWN_REFERENCES',
      details: { resource: 'funnel', ids: ['fnl_0', 'fnl_1'] },
    })
  })

  test('a key that is taken, by an experiment of any status or by a flag', async () => {
    const { id } = await create({ key: 'mine' })
    await configure(s, {
      experiments: [{ key: 'over', status: 'COMPLETED' }],
      flags: [{ key: 'flag', env: 'STAGING' }],
    })
    await create({ key: 'over' }, s.other.id)
    for (const key of ['over', 'flag'])
      for (const call of [() => create({ key }), () => update(id, { key })]) {
        const { status, code, message } = await refused(s, call)
        expect([status, code]).toEqual([409, 'CONFLICT'])
        expect(message).toContain(key)
      }
  })

  test('a key that a flag and an experiment want at once: one of them gets it', async () => {
    const flag = { key: 'race', env: 'PROD', type: 'BOOLEAN', defaultValue: true } as const
    const answers = await Promise.allSettled([
      createFlag(s.ctx, by(s), flag),
      create({ key: 'race' }),
      createFlag(s.ctx, by(s), { ...flag, env: 'STAGING' }),
    ])
    const made = await Promise.all([
      listFlagViews(s.ctx, s.project.id, { limit: 9 }),
      listExperimentViews(s.ctx, s.project.id, { limit: 9 }),
    ])
    const counts = made.map(({ items }) => items.length)
    expect(counts.filter((count) => count > 0)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(counts[0] || 1)
  })

  test('a 51st that would run, started or resumed', async () => {
    await configure(s, { experiments: Array.from({ length: 49 }, (_, n) => ({ key: `e_${n}` })) })
    const paused = await create({ key: 'paused' })
    await start(paused.id)
    await pause(paused.id)
    const [last, draft] = [await create({ key: 'last' }), await create({ key: 'draft' })]
    await start(last.id)
    for (const call of [() => start(draft.id), () => resume(paused.id)]) {
      const { status, code, message } = await refused(s, call)
      expect([status, code, message]).toEqual([409, 'CONFLICT', expect.stringContaining('50 experiments run')])
    }
    await stop(last.id)
    await resume(paused.id)
  })

  test('a start of what is no longer sound', async () => {
    await configure(s, {
      experiments: [
        { id: 'exp_v', key: 'v', status: 'DRAFT', variants: 'none' as never },
        { id: 'exp_a', key: 'a', status: 'PAUSED', audienceId: 'aud_gone' },
        { id: 'exp_t', key: 't', status: 'DRAFT', scheduledStopAt: s.ctx.clock.now() },
      ],
    })
    expect((await refused(s, () => start('exp_v'))).details.fields).toEqual(['variants'])
    expect((await refused(s, () => resume('exp_a'))).details.fields).toEqual(['audienceId'])
    expect((await refused(s, () => start('exp_t'))).message).toContain('scheduledStopAt has passed')
  })
})

describe('a stop', () => {
  test('can promote the winner: a flag under the same key answers in every environment', async () => {
    const { id } = await create({ key: 'checkout' })
    await start(id)
    await stop(id, { winnerVariantId: 'b', promoteToFlag: true })
    for (const env of ['prod', 'staging', 'dev'])
      expect(await flagsOf(s, 'svc_e', `&env=${env}`)).toEqual({ checkout: 2 })
    const audit = await lastAudit(s, 4)
    expect(audit.map(({ action }) => action)).toEqual(['experiment.stop', 'flag.create', 'flag.create', 'flag.create'])
    expect(audit[1]?.after).toMatchObject({
      key: 'checkout',
      type: 'NUMBER',
      defaultValue: 2,
      rules: [],
      isEnabled: true,
    })
    const copy = await duplicate(id)
    expect(copy.key).toBe('checkout-copy')
  })

  test.each([
    [true, 'BOOLEAN'],
    ['x', 'STRING'],
    [{ x: 1 }, 'JSON'],
  ])('a winner of %p becomes a flag of type %s', async (value, type) => {
    const { id } = await create({ variants: [HALVES[0], { ...HALVES[1], value }] })
    await start(id)
    await pause(id)
    await stop(id, { winnerVariantId: 'b', promoteToFlag: true })
    expect((await lastAudit(s))[0]?.after).toMatchObject({ type, defaultValue: value })
  })

  test('a flag that already has the key gets the default, and keeps its rules', async () => {
    const { id } = await create()
    await start(id)
    await configure(s, {
      flags: [{ key: 'e', type: 'NUMBER', defaultValue: 7, rules: [{ conditions: { a: '1' }, value: 8 }] }],
    })
    await update(id, { name: 'Still mine' })
    await stop(id, { winnerVariantId: 'b', promoteToFlag: true })
    expect([await flagsOf(s, 'svc_e'), await flagsOf(s, 'svc_e', '&env=dev')]).toEqual([{ e: 2 }, { e: 2 }])
    expect((await lastAudit(s, 3))[0]).toMatchObject({ action: 'flag.update', after: { rules: [{ value: 8 }] } })
  })

  test('that cannot write the flag does not stop the experiment either', async () => {
    const { id } = await create()
    await start(id)
    await configure(s, { flags: [{ key: 'e', env: 'STAGING', type: 'BOOLEAN', defaultValue: false }] })
    const { status, message } = await refused(s, () => stop(id, { winnerVariantId: 'b', promoteToFlag: true }))
    expect([status, message]).toEqual([409, expect.stringContaining('type BOOLEAN')])
    await clearRemote(s)
    const full = await create()
    await start(full.id)
    await configure(s, {
      flags: Array.from({ length: 1000 }, (_, n) => ({ key: `f_${n}`, env: 'DEVELOPMENT' as const })),
    })
    expect((await refused(s, () => stop(full.id, { winnerVariantId: 'b', promoteToFlag: true }))).status).toBe(409)
  })

  test('names a variant that is there, and promotes only one', async () => {
    const { id } = await create()
    await start(id)
    expect(await refused(s, () => stop(id, { winnerVariantId: 'c' }))).toMatchObject({
      status: 400,
      code: 'UNKNOWN_REFERENCES',
      details: { resource: 'variant', ids: ['c'] },
    })
    expect((await refused(s, () => stop(id, { promoteToFlag: true }))).details.fields).toEqual(['winnerVariantId'])
  })

  test('of other types promotes nothing', async () => {
    for (const type of ['FUNNEL', 'OFFERING'] as const) {
      await configure(s, { experiments: [{ id: `exp_${type}`, key: type, type }] })
      expect(await refused(s, () => stop(`exp_${type}`, { winnerVariantId: 'a', promoteToFlag: true }))).toMatchObject({
        status: 400,
        code: 'promote_requires_flag_experiment',
        details: { type },
      })
      await stop(`exp_${type}`, { winnerVariantId: 'a' })
    }
  })
})

describe('a duplicate', () => {
  test('is a draft under a free key, whatever the original has become', async () => {
    const { id } = await create({
      metrics: ['m'],
      mutualExclusionGroup: 'g',
      scheduledStopAt: s.ctx.clock.now() + 1000,
    })
    await start(id)
    await stop(id, { winnerVariantId: 'b' })
    await createFlag(s.ctx, by(s), { key: 'e-copy', env: 'PROD', type: 'BOOLEAN', defaultValue: true })
    const copy = await duplicate(id)
    expect(copy).toMatchObject({
      key: 'e-copy-2',
      name: 'E (copy)',
      status: 'DRAFT',
      metrics: ['m'],
      mutualExclusionGroup: 'g',
      variants: HALVES,
      scheduledStopAt: null,
      startedAt: null,
      completedAt: null,
      winnerVariantId: null,
    })
    expect((await duplicate(copy.id)).key).toBe('e-copy-3')
    expect((await getExperimentView(s.ctx, s.project.id, id)).status).toBe('COMPLETED')
    expect((await lastAudit(s))[0]).toMatchObject({ action: 'experiment.duplicate', before: null })
  })

  test('of what is broken in the tables is refused with its place', async () => {
    await configure(s, { experiments: [{ id: 'exp_v', key: 'v', variants: 'none' as never }] })
    expect((await refused(s, () => duplicate('exp_v'))).details.fields).toEqual(['variants'])
  })

  test('of the longest key and name still has one that fits', async () => {
    const { id } = await create({ key: 'k'.repeat(64), name: 'n'.repeat(255) })
    const { key, name } = await duplicate(id)
    expect([key, name.length]).toEqual([`${'k'.repeat(59)}-copy`, 255])
  })
})
