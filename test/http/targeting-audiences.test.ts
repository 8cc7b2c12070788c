import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import {
  createAudience,
  deleteAudience,
  getAudienceView,
  listAudienceViews,
  updateAudience,
} from '../../src/targeting/audiences/admin'
import { replaceMembers } from '../../src/targeting/audiences/groups/admin'
import { previewAudience } from '../../src/targeting/remote-config/audience-preview'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { clearRemote, configure, flagsOf } from '../support/remote'
import { by, lastAudit, nothingWritten, refused } from '../support/targeting'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())
beforeEach(() => clearRemote(s))

const turkey = (name = 'Turkey') => createAudience(s.ctx, by(s), { name, rules: { country: 'TR' } })
const TR = { country: 'TR' }

describe('an audience', () => {
  test('is made, read, changed and deleted, each with one audit row', async () => {
    const made = await turkey()
    expect(made).toMatchObject({ name: 'Turkey', description: null, rules: TR, isDefault: false, references: [] })
    expect(await getAudienceView(s.ctx, s.project.id, made.id)).toEqual(made)
    s.ctx.clock.advance(1000)
    const changed = await updateAudience(s.ctx, by(s), made.id, { rules: { country: 'DE' }, description: 'North' })
    expect(changed).toMatchObject({ name: 'Turkey', description: 'North', rules: { country: 'DE' } })
    expect(Date.parse(changed.updatedAt) - Date.parse(changed.createdAt)).toBe(1000)
    expect(await getAudienceView(s.ctx, s.project.id, made.id)).toEqual(changed)
    await deleteAudience(s.ctx, by(s), made.id)
    expect((await refused(s, () => deleteAudience(s.ctx, by(s), made.id))).status).toBe(404)
    const state = (rules: object, description: string | null) => ({ name: 'Turkey', description, rules })
    expect(await lastAudit(s, 3)).toMatchObject([
      { action: 'audience.create', before: null, after: state(TR, null) },
      { action: 'audience.update', before: state(TR, null), after: state({ country: 'DE' }, 'North') },
      { action: 'audience.delete', before: state({ country: 'DE' }, 'North'), after: null },
    ])
  })

  test('counts in the next answer of the configuration', async () => {
    const { id } = await turkey()
    await configure(s, { flags: [{ key: 'tr', rules: [{ audienceId: id, value: true }] }] })
    await s.post('/v1/config?subscriberId=svc_de', { attributes: { country: 'DE' } })
    expect(await flagsOf(s, 'svc_de')).toEqual({ tr: false })
    await updateAudience(s.ctx, by(s), id, { rules: { country: 'DE' } })
    expect(await flagsOf(s, 'svc_de')).toEqual({ tr: true })
  })

  test('with a list and empty rules is everybody, which its answers warn about', async () => {
    const view = await createAudience(s.ctx, by(s), { name: 'Beta', rules: {} })
    expect(view.warnings).toBeUndefined()
    const warnings = [{ path: 'rules', message: expect.stringContaining('the audience is everybody') }]
    expect(await replaceMembers(s.ctx, by(s), view.id, 'ada')).toMatchObject({ members: 1, warnings })
    const { revision } = await getAudienceView(s.ctx, s.project.id, view.id)
    expect(await getAudienceView(s.ctx, s.project.id, view.id)).toMatchObject({ warnings })
    const rules = { 'svc.appUserId': { $inGroup: 'Beta' } }
    expect((await updateAudience(s.ctx, by(s), view.id, { rules })).warnings).toBeUndefined()
    expect((await replaceMembers(s.ctx, by(s), view.id, 'ada\nbo')).warnings).toBeUndefined()
    const stale = refused(s, () => replaceMembers(s.ctx, { ...by(s), expected: revision }, view.id, 'cy'))
    expect(await stale).toMatchObject({ code: 'CONFLICT' })
    await deleteAudience(s.ctx, by(s), view.id)
  })

  test('a change to the same writes nothing', async () => {
    const { id } = await turkey()
    for (const change of [{}, { name: 'Turkey' }, { rules: TR, description: null }])
      await nothingWritten(s, () => updateAudience(s.ctx, by(s), id, change))
  })

  test('lists come newest first, in pages, with what uses each', async () => {
    const made = [await turkey('A'), await turkey('B'), await turkey('C')].map(({ id }) => id)
    await configure(s, {
      flags: [{ id: 'flg_1', key: 'f', env: 'STAGING', rules: [{ audienceId: made[0] as string, value: true }] }],
    })
    const first = await listAudienceViews(s.ctx, s.project.id, { limit: 2 })
    expect([first.items.map(({ name }) => name), first.hasMore]).toEqual([['C', 'B'], true])
    const rest = await listAudienceViews(s.ctx, s.project.id, { limit: 2, beforeId: made[1] })
    expect([rest.items.map(({ name, references }) => [name, references]), rest.hasMore]).toEqual([
      [['A', [{ type: 'flag', id: 'flg_1', name: 'f (STAGING)' }]]],
      false,
    ])
  })
})

describe('is refused, and nothing is written:', () => {
  const cases: [fact: string, input: object, says: string][] = [
    ['a blank name', { name: ' ' }, 'name must be a text of 1 to 255 characters'],
    ['a name of two lines', { name: 'a\nb' }, 'name must not contain line breaks'],
    ['half a character', { name: '\ud83d' }, 'name must not contain half of a surrogate pair'],
    ['a name that is no text', { name: 5 }, 'name must be a text'],
    ['a long description', { description: 'x'.repeat(1001) }, 'description must be null or a text of at most 1000'],
    ['an unknown operator', { rules: { age: { $like: 3 } } }, 'rules.age.$like is not an operator'],
    ['a fault within a list', { rules: { $or: [TR, { a: [1] }] } }, 'rules.$or[1].a is a list'],
    ['no rules', { rules: 'all' }, 'rules must be an object'],
    ['NUL in rules', { rules: { a: 'x\0' } }, 'rules must not contain the NUL character'],
    ['a half character in rules', { rules: { a: '\udc00' } }, 'rules must not contain half of a surrogate pair'],
  ]
  for (const [fact, input, says] of cases)
    test(fact, async () => {
      const made = await turkey()
      const whole = { name: 'Other', rules: {}, ...input } as never
      for (const change of [
        () => createAudience(s.ctx, by(s), whole),
        () => updateAudience(s.ctx, by(s), made.id, input as never),
      ]) {
        const { status, code, message } = await refused(s, change)
        expect([status, code]).toEqual([400, 'VALIDATION_ERROR'])
        expect(message).toContain(says)
      }
    })

  test('a name that is taken', async () => {
    const { id } = await turkey()
    await turkey('Other')
    const answers = [
      await refused(s, () => turkey('Other')),
      await refused(s, () => updateAudience(s.ctx, by(s), id, { name: 'Other' })),
    ]
    for (const { status, code, message } of answers) {
      expect([status, code]).toEqual([409, 'CONFLICT'])
      expect(message).toContain('Other already')
    }
    // Another project may use the same name.
    await createAudience(s.ctx, by(s, s.other.id), { name: 'Other', rules: {} })
  })

  test('any change of the default audience, even to the same', async () => {
    const own = await stage()
    const { audiences: a } = own.ctx.tables
    const [all] = await own.ctx.db
      .select()
      .from(a)
      .where(and(eq(a.projectId, own.project.id), eq(a.isDefault, true)))
    const id = all?.id ?? ''
    for (const change of [{ rules: TR }, { name: 'Everybody' }, { description: 'x' }, {}])
      expect(await refused(own, () => updateAudience(own.ctx, by(own), id, change))).toMatchObject({
        status: 409,
        code: 'CONFLICT',
      })
    expect((await refused(own, () => deleteAudience(own.ctx, by(own), id))).code).toBe('CONFLICT')
    await own.close()
  })

  test('an id of another project, or of nothing', async () => {
    const theirs = await createAudience(s.ctx, by(s, s.other.id), { name: 'Theirs', rules: {} })
    for (const id of [theirs.id, 'aud_none', '']) {
      expect((await refused(s, () => getAudienceView(s.ctx, s.project.id, id))).status).toBe(404)
      expect((await refused(s, () => updateAudience(s.ctx, by(s), id, { rules: {} }))).status).toBe(404)
      expect((await refused(s, () => deleteAudience(s.ctx, by(s), id))).status).toBe(404)
    }
    expect((await refused(s, () => createAudience(s.ctx, by(s, 'prj_none'), { name: 'A', rules: {} }))).status).toBe(
      404,
    )
    expect((await refused(s, () => createAudience(s.ctx, by(s, 'project-1'), { name: 'A', rules: {} }))).status).toBe(
      404,
    )
  })

  test('deleting what is in use, with everything that uses it', async () => {
    const { id } = await turkey()
    const rules = [{ value: true }, { audienceId: id, value: true }]
    await configure(s, {
      flags: [
        { id: 'flg_a', key: 'f', rules },
        { id: 'flg_b', key: 'f', env: 'DEVELOPMENT', isEnabled: false, rules },
        { key: 'broken', rules: { audienceId: id } as never },
        { key: 'holes', rules: [null] as never },
      ],
      experiments: [
        { id: 'exp_a', key: 'e', audienceId: id, status: 'COMPLETED' },
        { key: 'free', audienceId: null },
      ],
    })
    const { status, code, details, message } = await refused(s, () => deleteAudience(s.ctx, by(s), id))
    expect([status, code]).toEqual([409, 'audience_in_use'])
    expect(message).toContain('flag f (DEVELOPMENT)')
    expect(details.references).toHaveLength(3)
    expect(details.references).toEqual(
      expect.arrayContaining([
        { type: 'flag', id: 'flg_a', name: 'f (PROD)' },
        { type: 'flag', id: 'flg_b', name: 'f (DEVELOPMENT)' },
        { type: 'experiment', id: 'exp_a', name: 'e' },
      ]),
    )
    expect((await getAudienceView(s.ctx, s.project.id, id)).references).toEqual(details.references)
  })
})

describe('two at once', () => {
  test('cannot take one name', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => turkey('Race')))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('a preview', () => {
  const preview = (rules: Record<string, unknown>) => previewAudience(s.ctx, s.project.id, rules)

  test('counts who matches now, and shows some', async () => {
    const own = await stage()
    for (let n = 0; n < 12; n++)
      await own.post(`/v1/config?subscriberId=svc_p${n}`, { attributes: { country: n < 11 ? 'TR' : 'DE' } })
    await own.receipt('svc_p1', own.buy(MONTHLY))
    const ask = (rules: Record<string, unknown>) => previewAudience(own.ctx, own.project.id, rules)
    const all = await ask(TR)
    expect([all.matching, all.total, all.examined, all.sample.length]).toEqual([11, 12, 12, 10])
    expect((await ask({})).matching).toBe(12)
    const [buyer] = (await ask({ 'svc.hasActive': true })).sample
    expect(buyer?.deviceKey).toBe('svc_p1')
    expect(await ask({ country: 'FR' })).toEqual({ matching: 0, total: 12, sample: [], examined: 12 })
    // Subscribers that were merged or erased do not count.
    const { subscribers: t } = own.ctx.tables
    await own.ctx.write(async (tx) => {
      await tx.db.update(t).set({ erasedAt: 1 }).where(eq(t.deviceKey, 'svc_p2'))
      await tx.db.update(t).set({ mergedInto: 'sub_x' }).where(eq(t.deviceKey, 'svc_p3'))
    })
    expect(await ask(TR)).toMatchObject({ matching: 9, total: 10, examined: 10 })
    expect(await previewAudience(own.ctx, own.other.id, {})).toEqual({ matching: 0, total: 0, sample: [], examined: 0 })
    await own.close()
  })

  test('of a great many looks at 2000 and tells their share', async () => {
    const own = await stage()
    await own.post('/v1/config?subscriberId=svc_model', { attributes: { country: 'DE' } })
    const { subscribers: t } = own.ctx.tables
    const [model] = await own.ctx.db.select().from(t)
    if (!model) throw new Error('no subscriber')
    const value = (n: number) => ({ value: n % 4 === 0 ? 'TR' : 'DE', source: 'sdk', updatedAt: 1 })
    const rows = Array.from({ length: 4999 }, (_, n) => ({
      ...model,
      id: `sub_${n}`,
      deviceKey: `svc_${Bun.hash(String(n)).toString(36)}`,
      attributes: { country: value(n) },
      ...(n % 10 === 1 ? { erasedAt: 1 } : {}),
    }))
    await own.ctx.write(async (tx) => {
      for (let at = 0; at < rows.length; at += 500) await tx.db.insert(t).values(rows.slice(at, at + 500))
    })
    const { matching, total, examined } = await previewAudience(own.ctx, own.project.id, TR)
    expect(examined).toBeGreaterThan(1700)
    expect(examined).toBeLessThanOrEqual(2000)
    expect(Math.abs(total - 4500)).toBeLessThan(150)
    expect(Math.abs(matching - 1250)).toBeLessThan(200)
    await own.close()
  })

  test('says what is wrong with the rules, and where', async () => {
    const { status, message, details } = await refused(s, () => preview({ $and: [{ age: { $gt: null } }] }))
    expect([status, details.fields]).toEqual([400, ['rules.$and[0].age.$gt']])
    expect(message).toStartWith('rules.$and[0].age.$gt ')
    expect((await refused(s, () => preview([] as never))).message).toStartWith('rules must be')
    expect((await refused(s, () => previewAudience(s.ctx, 'prj_none', {}))).status).toBe(404)
  })
})
