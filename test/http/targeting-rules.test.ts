import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { bucket } from '../../src/base/lib/bucket'
import { insertErasedKeys } from '../../src/people/subscribers/erased-keys'
import type { OnErase } from '../../src/people/subscribers/hooks'
import {
  createAudience,
  deleteAudience,
  getAudienceView,
  listAudienceViews,
  updateAudience,
} from '../../src/targeting/audiences/admin'
import { replaceMembers } from '../../src/targeting/audiences/groups/admin'
import { createFlag, deleteFlag, type FlagInput, updateFlag } from '../../src/targeting/flags/admin'
import { OfrepRefusal, ofrepFailure } from '../../src/targeting/remote-config/ofrep/refusal'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { erase } from '../support/erased'
import { identify, rowOf } from '../support/facts'
import { untilLockIsWaitedFor } from '../support/lock-waits'
import { evaluateAll, resultOf, valuesOf } from '../support/ofrep'
import { clearRemote, configOf, configure, flagsOf, HALVES, variantsOf } from '../support/remote'
import { browserOf, staff } from '../support/staff'
import { by, refused } from '../support/targeting'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())
beforeEach(() => clearRemote(s))

const flag = (key: string, conditions: object | null, more: Partial<FlagInput> = {}) =>
  createFlag(s.ctx, by(s), {
    ...{ key, env: 'PROD', type: 'BOOLEAN', defaultValue: false },
    rules: [{ ...(conditions && { conditions }), value: true }],
    ...more,
  })

describe('rules by version, by time and by parts of a text', () => {
  test('decide in the evaluation of flags', async () => {
    await flag('new_ui', { appVersion: { $vgte: '1.9.0' } })
    await flag('launched', { 'svc.now': { $dgte: new Date(s.ctx.clock.now() + 1000).toISOString() } })
    await flag('staff', { email: { $endsWithi: ['@EXAMPLE.com'] } })
    const ask = async (context: object) => valuesOf(await evaluateAll(s, { targetingKey: 'svc_x', ...context }))
    expect(await ask({ appVersion: '1.10.0', email: 'Ada@example.COM' })).toEqual({
      ...{ new_ui: true, launched: false, staff: true },
    })
    expect(await ask({ appVersion: '1.9.0-beta.2' })).toEqual({ new_ui: false, launched: false, staff: false })
    await flagsOf(s, 'svc_clock')
    s.ctx.clock.advance(1000)
    expect(await flagsOf(s, 'svc_clock')).toMatchObject({ launched: true })
  })

  test('are saved with a warning where a version or a time would compare as a text', async () => {
    const view = await flag('f', { $or: [{ appVersion: { $gte: '2.10.0' } }, { until: { $lt: '2026-11-27' } }] })
    expect(
      view.warnings?.map(({ path, message }) => [path, message.includes('$vgte'), message.includes('$dlt')]),
    ).toEqual([
      ['rules[0].conditions.$or[0].appVersion.$gte', true, false],
      ['rules[0].conditions.$or[1].until.$lt', false, true],
    ])
    const rules = { appVersion: { $lt: 'v3' } }
    const audience = await createAudience(s.ctx, by(s), { name: 'Old', rules })
    expect(audience.warnings).toEqual([{ path: 'rules.appVersion.$lt', message: expect.stringContaining('$vlt') }])
    expect((await flag('typo', { 'svc.acces': 'pro' })).warnings).toEqual([
      { path: 'rules[0].conditions.svc.acces', message: expect.stringContaining('is no built-in name') },
    ])
    expect(await flag('g', { appVersion: { $vgte: '2.10.0' } })).not.toHaveProperty('warnings')
  })

  test('read the storefront and the products of purchases', async () => {
    await flag('american', { 'svc.country': 'US' })
    await flag('had_monthly', { 'svc.everPurchased': { $in: ['pro_monthly'] } })
    expect(await flagsOf(s, 'svc_buyer')).toEqual({ american: false, had_monthly: false })
    await s.receipt('svc_buyer', s.buy(MONTHLY))
    expect(await flagsOf(s, 'svc_buyer')).toEqual({ american: true, had_monthly: true })
  })

  test('the key of an answer is the text that was asked for, whatever a browser makes of the path', () => {
    const refusal = new OfrepRefusal('FLAG_NOT_FOUND', 'There is none', '..')
    expect(ofrepFailure('/ofrep/v1/evaluate/', refusal)).toEqual({ key: '..', errorCode: 'FLAG_NOT_FOUND' })
  })
})

describe('a flag that reads another one', () => {
  test('has the value of the environment of the call, and a disabled or missing flag is missing', async () => {
    const parent = await flag('parent', { plan: 'gold' })
    await flag('child', { 'svc.flag.parent': true })
    await flag('grandchild', { 'svc.flag.child': 'true', 'svc.flag.gone': null })
    const gold = { targetingKey: 'svc_x', plan: 'gold' }
    const all = { parent: true, child: true, grandchild: true }
    expect(valuesOf(await evaluateAll(s, gold))).toEqual(all)
    expect(await resultOf(s, 'grandchild', gold)).toEqual([true, 'TARGETING_MATCH', 'rule:0'])
    expect(valuesOf(await evaluateAll(s, { targetingKey: 'svc_x' }))).toEqual({
      ...{ parent: false, child: false, grandchild: false },
    })
    await updateFlag(s.ctx, by(s), parent.id, { isEnabled: false })
    expect(valuesOf(await evaluateAll(s, gold))).toEqual({ child: false, grandchild: false })
  })

  test('is refused in a circle and over more than three levels, also through an audience', async () => {
    const a = await flag('a', null)
    await flag('b', { 'svc.flag.a': true })
    const { id: audienceId } = await createAudience(s.ctx, by(s), { name: 'B', rules: { 'svc.flag.b': true } })
    const rules = [{ conditions: { 'svc.flag.a': true }, value: true }]
    expect(await refused(s, () => updateFlag(s.ctx, by(s), a.id, { rules }))).toMatchObject({
      ...{ status: 400, details: { fields: ['rules'] } },
      message: expect.stringContaining('a → a'),
    })
    const throughAudience = [{ audienceId, value: true }]
    const circle = await refused(s, () => updateFlag(s.ctx, by(s), a.id, { rules: throughAudience }))
    expect(circle.message).toContain('a → b → a')
    const c = await flag('c', null, { rules: throughAudience })
    const deeper = { rules: { 'svc.flag.c': true } }
    expect((await refused(s, () => updateAudience(s.ctx, by(s), audienceId, deeper))).message).toContain('c → c')
    await flag('d', { 'svc.flag.c': true })
    const tooDeep = await refused(s, () => flag('e', { 'svc.flag.d': true }))
    expect(tooDeep.message).toContain('e → d → c → b → a')
    await flag('e', { 'svc.flag.d': true }, { env: 'STAGING' }) // There is no other flag in that environment.
    expect(await refused(s, () => deleteFlag(s.ctx, by(s), c.id))).toMatchObject({
      message: 'c (PROD) cannot be deleted: svc.flag.c is read by flag d (PROD); change that first',
      details: { references: [{ type: 'flag', name: 'd (PROD)' }] },
    })
    expect(await refused(s, () => updateFlag(s.ctx, by(s), c.id, { key: 'z' }))).toMatchObject({ status: 409 })
  })
})

describe('a list of ids', () => {
  const put = (id: string, ids: readonly string[]) => replaceMembers(s.ctx, by(s), id, ids.join('\n'))

  test('decides by label, device key and any attribute, and is replaced as a whole', async () => {
    const { id } = await createAudience(s.ctx, by(s), { name: 'Beta', rules: {} })
    await flag('by_label', { 'svc.appUserId': { $inGroup: 'Beta' } })
    await flag('by_email', { email: { $notInGroup: 'Beta' } })
    await identify(s, 'svc_ada', 'ada')
    const ask = (email: string) => evaluateAll(s, { targetingKey: 'svc_ada', email })
    expect(valuesOf(await ask('x@y'))).toEqual({ by_label: false, by_email: true })
    expect(await put(id, ['ada', ' ada ', '', 'x@y'])).toMatchObject({ audienceId: id, members: 2 })
    expect(valuesOf(await ask('x@y'))).toEqual({ by_label: true, by_email: false })
    const stored = await s.ctx.db.select().from(s.ctx.tables.audienceMembers)
    expect(JSON.stringify(stored)).not.toContain('ada')
    expect(Buffer.from(stored[0]?.hashes ?? '', 'base64').toString('latin1')).not.toContain('ada')
    await put(id, ['bo'])
    expect(valuesOf(await ask('x@y'))).toEqual({ by_label: false, by_email: true })
    expect(await put(id, [])).toEqual({ audienceId: id, members: 0 })
    expect(await s.ctx.db.$count(s.ctx.tables.audienceMembers)).toBe(0)
    const logged = await s.ctx.db.select().from(s.ctx.tables.auditLog)
    const sizes = logged.filter(({ action }) => action === 'audience.members').map(({ after }) => after)
    expect(sizes).toEqual([{ members: 2 }, { members: 1 }, { members: 0 }])
  })

  test('is refused where it is too long or named by nobody, and its audience stays while rules name it', async () => {
    const { id } = await createAudience(s.ctx, by(s), { name: 'Beta', rules: {} })
    const long = await refused(s, () => put(id, ['ok', 'x'.repeat(256)]))
    expect(long.message).toContain('line 2')
    const many = Array.from({ length: 100_001 }, (_, index) => `u${index}`)
    expect((await refused(s, () => put(id, many))).message).toContain('has more than 100000 ids')
    const wrongBehind = await refused(s, () => put(id, [...many, 'x'.repeat(256)]))
    expect(wrongBehind.message).toContain('has more than 100000 ids') // The rest is not read.
    expect((await refused(s, () => flag('f', { a: { $inGroup: 'Nobody' } }))).details.fields).toEqual([
      'rules[0].conditions.a.$inGroup',
    ])
    await flag('f', { a: { $inGroup: 'Beta' } })
    expect((await refused(s, () => deleteAudience(s.ctx, by(s), id))).code).toBe('audience_in_use')
    expect((await refused(s, () => updateAudience(s.ctx, by(s), id, { name: 'Other' }))).code).toBe('CONFLICT')
  })

  test('has 100,000 ids, and an erasure takes those of the person out', async () => {
    const { id } = await createAudience(s.ctx, by(s), { name: 'Beta', rules: {} })
    await flag('f', { 'svc.deviceKey': { $inGroup: 'Beta' } })
    const ids = Array.from({ length: 99_999 }, (_, index) => `user_${index}`)
    await flagsOf(s, 'svc_member')
    expect((await put(id, [...ids, 'svc_member'])).members).toBe(100_000)
    expect(await flagsOf(s, 'svc_member')).toEqual({ f: true })
    expect(await flagsOf(s, 'svc_other')).toEqual({ f: false })
    await erase(s, (await rowOf(s, 'svc_member')).id)
    const { audienceMembers: m } = s.ctx.tables
    const [row] = await s.ctx.db.select({ size: m.size }).from(m).where(eq(m.audienceId, id))
    expect(row?.size).toBe(99_999)
  })

  test('has nobody of several people who are erased at once', async () => {
    const { id } = await createAudience(s.ctx, by(s), { name: 'Beta', rules: {} })
    const devices = Array.from({ length: 8 }, (_, index) => `svc_erased_${index}`)
    for (const device of devices) await identify(s, device, `${device}_label`)
    await put(id, [...devices, 'kept', ...devices.map((device) => `${device}_label`)])
    const people = await Promise.all(devices.map(async (device) => (await rowOf(s, device)).id))
    await Promise.all(people.map((person) => erase(s, person)))
    const { audienceMembers: m } = s.ctx.tables
    expect(await s.ctx.db.select({ id: m.audienceId, size: m.size }).from(m)).toEqual([{ id, size: 1 }])
  })

  const sizes = async () => {
    const { audienceMembers: m } = s.ctx.tables
    return (await s.ctx.db.select({ size: m.size }).from(m)).map(({ size }) => size)
  }

  test('has nobody who was erased before it is sent, nor one whose label or device it names', async () => {
    const { id } = await createAudience(s.ctx, by(s), { name: 'Beta', rules: {} })
    await identify(s, 'svc_gone', 'gone')
    await erase(s, (await rowOf(s, 'svc_gone')).id)
    expect(await put(id, ['svc_gone', 'kept', 'gone', 'gone@mail.test'])).toMatchObject({ members: 2 })
    expect(await sizes()).toEqual([2])
    expect(await put(id, ['gone', 'svc_gone'])).toEqual({ audienceId: id, members: 0 })
    expect(await sizes()).toEqual([])
  })

  /** Something that happens in the middle of the hashing of a list. */
  function whileHashed(meanwhile: (part: number) => Promise<unknown>): () => void {
    const turns = s.ctx.state.longTurns
    const parts = turns.parts
    let count = 0
    turns.parts = () => async (part) => {
      part()
      await meanwhile(++count)
    }
    return () => {
      turns.parts = parts
    }
  }

  test('has nobody who is erased while it is read', async () => {
    const { id } = await createAudience(s.ctx, by(s), { name: 'Beta', rules: {} })
    await identify(s, 'svc_during', 'during')
    const { id: person } = await rowOf(s, 'svc_during')
    const restore = whileHashed(async (part) => part === 2 && erase(s, person))
    try {
      expect(await put(id, ['svc_during', 'kept', 'during'])).toMatchObject({ members: 1 })
    } finally {
      restore()
    }
    expect(await sizes()).toEqual([1])
  })

  test('is refused, and stays as it was, where people are erased each time that it is read', async () => {
    const { id } = await createAudience(s.ctx, by(s), { name: 'Beta', rules: {} })
    await put(id, ['kept'])
    let erased = 0
    // Keys alone, because whole erasures of so many people take long.
    const restore = whileHashed(async () => {
      const row = { projectId: s.project.id, kind: 'LABEL' as const, hash: `of ${erased++}`, subscriberId: 'sub_gone' }
      await s.ctx.write((tx) => insertErasedKeys(tx, [{ ...row, erasedAt: s.ctx.clock.now() }]))
    })
    try {
      expect(await refused(s, () => put(id, ['other', 'more']))).toMatchObject({
        ...{ status: 503, code: 'QUEUE_UNAVAILABLE', details: { queue: 'audience-members' } },
      })
    } finally {
      restore()
    }
    expect(erased).toBeGreaterThan(5)
    expect(await sizes()).toEqual([1])
  })

  test('that is written while the person is erased has nobody of them', async () => {
    const { id } = await createAudience(s.ctx, by(s), { name: 'Beta', rules: {} })
    await identify(s, 'svc_inside', 'inside')
    const { id: person } = await rowOf(s, 'svc_inside')
    const hooks = s.ctx.hooks.onErase as OnErase[] // Read-only for all but this test.
    let putting: Promise<unknown> = Promise.resolve()
    const startPut: OnErase = async (tx) => {
      putting = put(id, ['svc_inside', 'kept', 'inside'])
      // Until it is written or waits for this erasure. On SQLite it waits for the only writer.
      if (tx.needsLocks) await Promise.race([putting, untilLockIsWaitedFor(s.ctx)])
      return {}
    }
    hooks.push(startPut)
    try {
      await erase(s, person)
    } finally {
      hooks.splice(hooks.indexOf(startPut), 1)
    }
    expect(await putting).toMatchObject({ members: 1 })
    expect(await sizes()).toEqual([1])
  })

  test('is sent as plain text by people who may write audiences, one of a project at a time', async () => {
    const { id } = await createAudience(s.ctx, by(s), { name: 'Beta', rules: {} })
    staff(s)
    const { origin, cookie } = browserOf(s)
    const send = (role: 'DEVELOPER' | 'CUSTOMER_SUPPORT', type: string, raw = 'ada\nbo', size?: number) =>
      s.call('PUT', `/dashboard/projects/${s.project.id}/audiences/${id}/members`, {
        ...{ key: null, raw },
        headers: {
          ...{ origin, cookie: `${cookie}=${role}`, 'content-type': type },
          ...(size !== undefined && { 'content-length': String(size) }),
        },
      })
    expect((await send('CUSTOMER_SUPPORT', 'text/plain')).status).toBe(403)
    expect((await send('DEVELOPER', 'application/json')).status).toBe(400)
    expect(await s.ctx.db.$count(s.ctx.tables.audienceMembers)).toBe(0)
    expect((await send('DEVELOPER', 'text/plain; charset=utf-8')).body.data).toMatchObject({
      ...{ audienceId: id, members: 2 },
      warnings: [{ path: 'rules' }],
    })
    const large = Array.from({ length: 10_000 }, (_, index) => `${'x'.repeat(140)}${index}`).join('\n')
    expect((await send('DEVELOPER', 'text/plain', large, large.length)).body.data).toMatchObject({
      ...{ audienceId: id, members: 10_000 },
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    const others = Array.from({ length: 3 }, () => s.ctx.state.memberQueue.run(s.project.id, undefined, () => promise))
    const refused = await send('DEVELOPER', 'text/plain')
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
      ...[429, 'RATE_LIMITED', '5'],
    ])
    resolve()
    await Promise.all(others)
    expect((await send('DEVELOPER', 'text/plain')).status).toBe(200)
    for (const [raw, size] of [['ada', 8_388_609] as const, ['x\n'.repeat(4_194_305)] as const])
      expect(await send('DEVELOPER', 'text/plain', raw, size)).toMatchObject({
        ...{ status: 413, body: { error: { message: 'The body is over 8388608 bytes' } } },
      })
  })

  test('is counted in the answers about its audience, and nowhere else', async () => {
    const { id, memberCount } = await createAudience(s.ctx, by(s), { name: 'Beta', rules: {} })
    await createAudience(s.ctx, by(s), { name: 'Other', rules: {} })
    await put(id, ['ada', 'bo'])
    const { items } = await listAudienceViews(s.ctx, s.project.id, { limit: 10 })
    expect(items.map(({ name, memberCount: count }) => [name, count])).toEqual([
      ...[
        ['Other', 0],
        ['Beta', 2],
      ],
      ...items.filter(({ isDefault }) => isDefault).map(({ name }) => [name, 0]),
    ])
    const renamed = await updateAudience(s.ctx, by(s), id, { name: 'Testers' })
    expect([memberCount, renamed.memberCount]).toEqual([0, 2])
    await put(id, [])
    expect((await getAudienceView(s.ctx, s.project.id, id)).memberCount).toBe(0)
  })

  test('that was hashed with another master key is marked, until it is sent again', async () => {
    const { id } = await createAudience(s.ctx, by(s), { name: 'Beta', rules: {} })
    await createAudience(s.ctx, by(s), { name: 'Other', rules: {} })
    await put(id, ['ada', 'bo'])
    const view = async () => {
      const one = await getAudienceView(s.ctx, s.project.id, id)
      const { items } = await listAudienceViews(s.ctx, s.project.id, { limit: 10 })
      expect(items.find((item) => item.id === id)).toEqual(one)
      expect(items.filter((item) => item.id !== id).some((item) => 'membersStale' in item)).toBe(false)
      return one
    }
    expect(await view()).not.toHaveProperty('membersStale')
    const keyedBy = 'of another key'
    await s.ctx.write(async (tx) => void (await tx.db.update(tx.tables.audienceMembers).set({ keyedBy })))
    expect(await view()).toMatchObject({ memberCount: 2, membersStale: true })
    await put(id, ['ada'])
    expect(await view()).not.toHaveProperty('membersStale')
  })
})

describe('a rollout by an attribute', () => {
  test('draws equal values alike, and skips the rule where the attribute is missing', async () => {
    const rules = [{ value: true, rolloutPercentage: 0.5, bucketBy: 'company' }]
    await flag('by_company', null, { rules })
    const names = Array.from({ length: 20 }, (_, index) => `company_${index}`)
    for (const company of names) {
      const isIn = bucket(company, 'by_company:0') < 5000
      for (const targetingKey of ['svc_a', 'svc_b'])
        expect([company, (await resultOf(s, 'by_company', { targetingKey, company }))[0]]).toEqual([company, isIn])
    }
    expect((await resultOf(s, 'by_company', { targetingKey: 'svc_a' }))[0]).toBe(false)
    expect(
      (await refused(s, () => flag('f', null, { rules: [{ value: true, bucketBy: '' }] }))).details.fields,
    ).toEqual(['rules[0].bucketBy'])
  })

  test('of an experiment draws by it, keeps what is held, and leaves out who has no such attribute', async () => {
    await configure(s, { experiments: [{ key: 'by_company', bucketBy: 'company', variants: HALVES }] })
    const withCompany = (device: string, company: string) =>
      s.post(`/v1/config?subscriberId=${device}`, { attributes: { company } })
    expect(await variantsOf(s, 'svc_none')).toEqual({})
    const drawn = new Map<string, unknown>()
    for (const company of ['acme', 'zeta', 'omega', 'kappa'])
      for (const device of ['1', '2']) {
        const { body } = await withCompany(`svc_${company}_${device}`, company)
        const { variantId } = body.data.experiments.by_company
        expect(drawn.get(company) ?? variantId).toBe(variantId)
        drawn.set(company, variantId)
      }
    expect(new Set(drawn.values()).size).toBe(2)
    const [first = ''] = [...drawn].filter(([, variant]) => variant !== drawn.get('acme')).map(([company]) => company)
    await withCompany('svc_acme_1', first)
    const { body } = await configOf(s, 'svc_acme_1')
    expect(body.data.experiments.by_company.variantId).toBe(drawn.get('acme'))
  })
})
