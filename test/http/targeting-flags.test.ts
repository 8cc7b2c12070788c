import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createAudience } from '../../src/targeting/audiences/admin'
import {
  createFlag,
  deleteFlag,
  type FlagInput,
  getFlagView,
  listFlagViews,
  toggleFlag,
  updateFlag,
} from '../../src/targeting/flags/admin'
import { type Stage, stage } from '../support/cast'
import { clearRemote, configOf, configure, flagsOf } from '../support/remote'
import { by, lastAudit, nothingWritten, refused } from '../support/targeting'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())
beforeEach(() => clearRemote(s))

const PLAIN: FlagInput = { key: 'f', env: 'PROD', type: 'STRING', defaultValue: 'a' }
const create = (input: object = {}, projectId = s.project.id) =>
  createFlag(s.ctx, by(s, projectId), { ...PLAIN, ...input } as FlagInput)
const update = (id: string, change: object) => updateFlag(s.ctx, by(s), id, change)

describe('a flag', () => {
  test('is made, read, changed, switched and deleted, and each answers at once', async () => {
    const { id: audienceId } = await createAudience(s.ctx, by(s), { name: 'All of them', rules: {} })
    const made = await create()
    expect(made).toMatchObject({ ...PLAIN, rules: [], isEnabled: true, description: null })
    expect(await getFlagView(s.ctx, s.project.id, made.id)).toEqual(made)
    expect(await flagsOf(s, 'svc_f')).toEqual({ f: 'a' })
    s.ctx.clock.advance(1000)
    const rules = [{ audienceId, conditions: null, value: 'b', rolloutPercentage: null }]
    const changed = await update(made.id, { rules, description: 'Why' })
    expect(changed).toMatchObject({ defaultValue: 'a', rules: [{ audienceId, value: 'b' }], description: 'Why' })
    expect(Object.keys(changed.rules[0] ?? {})).toEqual(['audienceId', 'value'])
    expect(Date.parse(changed.updatedAt) - Date.parse(changed.createdAt)).toBe(1000)
    expect(await getFlagView(s.ctx, s.project.id, made.id)).toEqual(changed)
    expect(await flagsOf(s, 'svc_f')).toEqual({ f: 'b' })
    expect((await toggleFlag(s.ctx, by(s), made.id, false)).isEnabled).toBe(false)
    expect(await flagsOf(s, 'svc_f')).toEqual({})
    await deleteFlag(s.ctx, by(s), made.id)
    const rule = { audience: 'All of them', conditions: null, value: 'b', rolloutPercentage: null }
    expect(await lastAudit(s, 4)).toMatchObject([
      { action: 'flag.create', before: null, after: { key: 'f', env: 'PROD', rules: [], isEnabled: true } },
      { action: 'flag.update', before: { rules: [], description: null }, after: { rules: [rule], description: 'Why' } },
      { action: 'flag.update', before: { isEnabled: true }, after: { isEnabled: false, rules: [rule] } },
      { action: 'flag.delete', before: { isEnabled: false }, after: null },
    ])
    for (const call of [
      () => getFlagView(s.ctx, s.project.id, made.id),
      () => update(made.id, {}),
      () => toggleFlag(s.ctx, by(s), made.id, true),
      () => deleteFlag(s.ctx, by(s), made.id),
    ])
      expect((await refused(s, call)).status).toBe(404)
  })

  test('lives in each environment for itself', async () => {
    const made = await create()
    await create({ env: 'STAGING', defaultValue: 'b' })
    await toggleFlag(s.ctx, by(s), made.id, false)
    expect([await flagsOf(s, 'svc_f'), await flagsOf(s, 'svc_f', '&env=staging')]).toEqual([{}, { f: 'b' }])
    const { items } = await listFlagViews(s.ctx, s.project.id, { limit: 10 })
    expect(items.map(({ env }) => env)).toEqual(['STAGING', 'PROD'])
  })

  test('a change to the same writes nothing', async () => {
    const rules = [{ conditions: { a: '1' }, value: 'b' }]
    const { id } = await create({ rules })
    const wordy = [{ audienceId: null, conditions: { a: '1' }, value: 'b', rolloutPercentage: null }]
    for (const change of [{}, { defaultValue: 'a' }, { rules: wordy }, { key: 'f', env: 'PROD', isEnabled: true }])
      await nothingWritten(s, () => update(id, change))
    await nothingWritten(s, () => toggleFlag(s.ctx, by(s), id, true))
  })

  test('gets a new key, and its old one is free', async () => {
    const { id } = await create()
    await update(id, { key: 'g' })
    await create()
    expect(await flagsOf(s, 'svc_f')).toEqual({ f: 'a', g: 'a' })
  })
})

describe('is refused with its place, and nothing is written:', () => {
  const cases: [fact: string, change: object, places: string[], says: string][] = [
    ['a key with a blank', { key: 'a b' }, ['key'], 'key must be 1 to 64 letters'],
    ['a key that maps lose', { key: '__proto__' }, ['key'], 'key must be'],
    ['an unknown environment', { env: 'QA' }, ['env'], 'env must be one of'],
    ['an unknown type', { type: 'COLOUR' }, ['type'], 'type must be one of'],
    ['a default of another type', { defaultValue: 1 }, ['defaultValue'], 'defaultValue must be a string'],
    ['a default above 64 KiB', { defaultValue: 'x'.repeat(65536) }, ['defaultValue'], '64 KiB'],
    ['half a character', { defaultValue: '\ud83d' }, ['defaultValue'], 'half of a surrogate pair'],
    ['a description that is none', { description: 5 }, ['description'], 'description must be null'],
    ['no switch', { isEnabled: 'yes' }, ['isEnabled'], 'isEnabled must be true or false'],
    ['rules that are no list', { rules: {} }, ['rules'], 'rules must be a list'],
    ['51 rules', { rules: Array(51).fill({ value: 'b' }) }, ['rules'], 'rules must not be more than 50'],
    ['a value of another type', { rules: [{ value: 'b' }, { value: 1 }] }, ['rules[1].value'], 'must be a string'],
    ['a rollout of 25', { rules: [{ value: 'b', rolloutPercentage: 25 }] }, ['rules[0].rolloutPercentage'], '0 to 1'],
    ['an unknown audience', { rules: [{ audienceId: 'aud_x', value: 'b' }] }, ['rules[0].audienceId'], 'must name'],
    [
      'an unknown operator',
      { rules: [{ conditions: { $or: [{ a: { $like: 'x' } }] }, value: 'b' }] },
      ['rules[0].conditions.$or[0].a.$like'],
      'rules[0].conditions.$or[0].a.$like is not an operator',
    ],
    ['a member of another language', { rules: [{ value: 'b', rollout: 0.1 }] }, ['rules[0].rollout'], 'remove it'],
    [
      'all of it at once',
      { defaultValue: 1, rules: [{ value: 1, rolloutPercentage: 2 }, 'x'] },
      ['defaultValue', 'rules[0].value', 'rules[0].rolloutPercentage', 'rules[1]'],
      '; ',
    ],
  ]
  for (const [fact, change, places, says] of cases)
    test(fact, async () => {
      const { id } = await create({ key: 'saved' })
      for (const call of [() => create(change), () => update(id, change)]) {
        const { status, code, message, details } = await refused(s, call)
        expect([status, code, details.fields]).toEqual([400, 'VALIDATION_ERROR', places])
        expect(message).toContain(says)
      }
    })

  test('an audience of another project', async () => {
    const theirs = await createAudience(s.ctx, by(s, s.other.id), { name: 'Theirs', rules: {} })
    const { details } = await refused(s, () => create({ rules: [{ audienceId: theirs.id, value: 'b' }] }))
    expect(details.fields).toEqual(['rules[0].audienceId'])
  })

  test('a key that is taken in the environment', async () => {
    await create()
    const other = await create({ key: 'g' })
    const staging = await create({ env: 'STAGING' })
    for (const call of [
      () => create(),
      () => update(other.id, { key: 'f' }),
      () => update(staging.id, { env: 'PROD' }),
    ])
      expect(await refused(s, call)).toMatchObject({ status: 409, code: 'CONFLICT' })
    await create({}, s.other.id)
  })

  test('a key that an experiment has, unless that is over', async () => {
    const { id } = await create()
    const statuses = ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED'] as const
    await configure(s, { experiments: statuses.map((status) => ({ key: `e_${status}`, status })) })
    for (const status of statuses.slice(0, 3))
      for (const call of [() => create({ key: `e_${status}` }), () => update(id, { key: `e_${status}` })]) {
        const { status: code, message } = await refused(s, call)
        expect([code, message]).toEqual([409, expect.stringContaining('is the key of an experiment')])
      }
    await create({ key: 'e_COMPLETED' })
  })

  test('a second type under one key', async () => {
    await create()
    const staging = await create({ key: 'g', env: 'STAGING' })
    const calls = [
      () => create({ env: 'STAGING', type: 'NUMBER', defaultValue: 1 }),
      () => update(staging.id, { key: 'f', type: 'NUMBER', defaultValue: 1 }),
    ]
    for (const call of calls) {
      const { status, details, message } = await refused(s, call)
      expect([status, details.fields]).toEqual([400, ['type']])
      expect(message).toContain('type must be STRING')
    }
    await update(staging.id, { type: 'NUMBER', defaultValue: 1 }) // The only flag with this key.
  })

  test('an id of another project', async () => {
    const theirs = await create({}, s.other.id)
    for (const call of [
      () => getFlagView(s.ctx, s.project.id, theirs.id),
      () => update(theirs.id, { defaultValue: 'mine' }),
      () => toggleFlag(s.ctx, by(s), theirs.id, false),
      () => deleteFlag(s.ctx, by(s), theirs.id),
    ])
      expect((await refused(s, call)).status).toBe(404)
  })

  test('one more than a thousand in an environment', async () => {
    await configure(s, { flags: Array.from({ length: 1000 }, (_, n) => ({ key: `f_${n}` })) })
    const staging = await create({ env: 'STAGING' })
    for (const call of [() => create(), () => update(staging.id, { env: 'PROD' })]) {
      const { status, message } = await refused(s, call)
      expect([status, message]).toEqual([409, expect.stringContaining('PROD has 1000 flags')])
    }
    const [newest] = (await listFlagViews(s.ctx, s.project.id, { limit: 1, env: 'PROD' })).items
    // The flag has this state already.
    expect((await update(newest?.id ?? '', { defaultValue: true })).defaultValue).toBe(true)
  })

  test('more in one environment than an answer should hold', async () => {
    const value = 'x'.repeat(60_000)
    const type = 'STRING' as const
    await configure(s, { flags: Array.from({ length: 69 }, (_, n) => ({ key: `f_${n}`, type, defaultValue: value })) })
    const small = await create()
    const staging = await create({ env: 'STAGING', defaultValue: value })
    for (const call of [
      () => create({ key: 'large', defaultValue: value }),
      () => create({ key: 'ruled', rules: [{ value: 'b', conditions: { a: 'y'.repeat(30_000) } }, { value }] }),
      () => update(small.id, { defaultValue: value }),
      () => update(staging.id, { key: 'moved', env: 'PROD' }),
    ]) {
      const { code, message } = await refused(s, call)
      expect([code, message]).toEqual(['CONFLICT', expect.stringMatching(/^The flags in PROD would hold \d+ KiB/)])
    }
    await create({ key: 'larger', env: 'STAGING', defaultValue: value })
  })

  test('nothing where somebody wrote too much past svc, and it becomes less', async () => {
    const flags = Array.from({ length: 75 }, (_, n) => ({
      ...{ id: `flg_${n}`, key: `f_${n}`, type: 'STRING' as const, defaultValue: 'x'.repeat(60_000) },
    }))
    await configure(s, { flags })
    await update('flg_0', { defaultValue: 'x'.repeat(50_000) })
    await toggleFlag(s.ctx, by(s), 'flg_1', false)
    expect((await refused(s, () => update('flg_0', { defaultValue: 'x'.repeat(60_000) }))).code).toBe('CONFLICT')
  })
})

test('one that is broken in the tables can be switched off, and mended', async () => {
  await configure(s, { flags: [{ id: 'flg_broken', key: 'broken', rules: 'none' as never }, { key: 'sound' }] })
  await toggleFlag(s.ctx, by(s), 'flg_broken', false)
  expect((await configOf(s, 'svc_f')).body.data.flags).toEqual({ sound: false })
  expect((await refused(s, () => update('flg_broken', { defaultValue: true }))).details.fields).toEqual(['rules'])
  await update('flg_broken', { rules: [{ value: true }], isEnabled: true })
  expect(await flagsOf(s, 'svc_f')).toEqual({ broken: true, sound: false })
})

test('of two at once under one key one is made', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 5 }, () => create()))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
