import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { NO_FLAG } from '../../src/console/screens/growth/flags/model'
import { type Stage, stage } from '../support/cast'
import { auditRows, changes, dataOf, ifMatch, refused } from '../support/operator'
import { HALVES } from '../support/remote'
import { type StaffCalls, type StaffRole, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
let support: StaffCalls

beforeAll(async () => {
  s = await stage()
  const team = staff(s)
  dev = team.as('DEVELOPER')
  support = team.as('CUSTOMER_SUPPORT')
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // The rate of a user is counted by the minute.
afterAll(() => s.close())

let count = 0
const fresh = (name = 'x'): string => `${name}_${++count}`

interface Kind {
  path: string
  action: string
  body(): Record<string, unknown>
  change: Record<string, unknown>
  /** The member that no two of them share, and the refusal. */
  name: string
  taken: string
  lacking: StaffRole[]
}

const KINDS: Record<string, Kind> = {
  audiences: {
    path: '/audiences',
    action: 'audience',
    body: () => ({ name: fresh('aud'), rules: { country: 'TR' } }),
    change: { rules: { country: { $in: ['TR', 'DE'] } }, description: 'Why' },
    name: 'name',
    taken: 'CONFLICT',
    lacking: ['CUSTOMER_SUPPORT'],
  },
  flags: {
    path: '/feature-flags',
    action: 'flag',
    body: () => ({ key: fresh('flg'), env: 'PROD', type: 'STRING', defaultValue: 'a' }),
    change: { defaultValue: 'b', rules: [{ conditions: { country: 'TR' }, value: 'c', rolloutPercentage: 0.5 }] },
    name: 'key',
    taken: 'CONFLICT',
    lacking: ['CUSTOMER_SUPPORT'],
  },
  experiments: {
    path: '/experiments',
    action: 'experiment',
    body: () => ({ key: fresh('exp'), name: 'Test', type: 'FLAG', audienceId: null, variants: HALVES }),
    change: { name: 'Other', metrics: ['purchase'], mutualExclusionGroup: 'g' },
    name: 'key',
    taken: 'CONFLICT',
    lacking: ['CUSTOMER_SUPPORT'],
  },
  placements: {
    path: '/placements',
    action: 'placement',
    body: () => ({ identifier: fresh('plc'), name: 'Place', rows: [] }),
    change: { name: 'Other', rows: [{ audienceId: null, target: { type: 'none' } }], isActive: false },
    name: 'identifier',
    taken: 'IDENTIFIER_TAKEN',
    lacking: ['CUSTOMER_SUPPORT', 'GROWTH'],
  },
  funnels: {
    path: '/funnels',
    action: 'funnel',
    body: () => ({ slug: fresh('fnl'), name: 'Funnel' }),
    change: { name: 'Other', defaultLocale: 'tr', locales: ['tr', 'en'] },
    name: 'slug',
    taken: 'IDENTIFIER_TAKEN',
    lacking: ['CUSTOMER_SUPPORT', 'GROWTH'],
  },
}
const each = Object.entries(KINDS)
const made = (kind: Kind, more = {}) => dataOf(dev.post(kind.path, { ...kind.body(), ...more }))
const listed = async (path: string) => (await dataOf(support.get(`${path}?limit=200`))).items
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

describe.each(each)('%s', (_name, kind) => {
  const { path, action, name, taken } = kind

  test('are created, listed, changed and deleted, each with one audit row that names who did it', async () => {
    const body = kind.body()
    const created = await changes(s, () => dev.post(path, body), [`${action}.create`], 201)
    expect(created).toMatchObject({ ...body, revision: 1 })
    expect(await listed(path)).toContainEqual(created)
    expect(await dataOf(support.get(`${path}/${created.id}`))).toEqual(created)
    s.ctx.clock.advance(1000)
    const changed = await changes(s, () => dev.patch(`${path}/${created.id}`, kind.change), [`${action}.update`])
    expect(changed).toMatchObject({ ...body, ...kind.change, revision: 2 })
    expect(await listed(path)).toContainEqual(changed)
    expect(await changes(s, () => dev.patch(`${path}/${created.id}`, kind.change), [])).toEqual(changed)
    expect(await changes(s, () => dev.delete(`${path}/${created.id}`), [`${action}.delete`])).toEqual({ deleted: true })
    for (const call of [
      () => dev.delete(`${path}/${created.id}`),
      () => dev.patch(`${path}/${created.id}`, kind.change),
      () => dev.get(`${path}/${created.id}`),
    ])
      await refused(s, call, 404, 'NOT_FOUND')
    expect(idsOf(await listed(path))).not.toContain(created.id)
    const [row] = (await auditRows(s)).slice(-1)
    const actor = { kind: 'USER', id: 'usr_developer', email: 'usr_developer@example.com' }
    expect(row).toMatchObject({ actor, target: { id: created.id } })
  })

  test('a name that is taken or malformed, and unknown members, are refused', async () => {
    const [first, second] = [await made(kind), await made(kind)]
    const url = `${path}/${second.id}`
    await refused(s, () => dev.post(path, { ...kind.body(), [name]: first[name] }), 409, taken)
    await refused(s, () => dev.patch(url, { [name]: first[name] }), 409, taken)
    for (const wrong of ['', '__proto__', 'x'.repeat(256), 5, null]) {
      await refused(s, () => dev.post(path, { ...kind.body(), [name]: wrong }), 400, 'VALIDATION_ERROR')
      await refused(s, () => dev.patch(url, { [name]: wrong }), 400, 'VALIDATION_ERROR')
    }
    for (const member of Object.keys(kind.body()))
      await refused(s, () => dev.post(path, { ...kind.body(), [member]: undefined }), 400, 'VALIDATION_ERROR')
    await refused(s, () => dev.post(path, { ...kind.body(), more: 1 }), 400, 'VALIDATION_ERROR')
    await refused(s, () => dev.patch(url, { revision: 5 }), 400, 'VALIDATION_ERROR')
  })

  test('another revision is refused, and of two changes at once exactly one wins', async () => {
    const created = await made(kind)
    const url = `${path}/${created.id}`
    const details = await refused(s, () => dev.patch(url, kind.change, ifMatch(2)), 409, 'CONFLICT')
    expect(details).toEqual({
      revision: 1,
      updatedBy: 'usr_developer@example.com',
      updatedAt: created.updatedAt,
    })
    await refused(s, () => dev.delete(url, ifMatch(7)), 409, 'CONFLICT')
    await refused(s, () => dev.delete(url, { headers: { 'if-match': '1' } }), 400, 'VALIDATION_ERROR')
    const both = await Promise.all([
      dev.patch(url, kind.change, ifMatch(1)),
      dev.patch(url, { [name]: fresh() }, ifMatch(1)),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await dataOf(support.get(url))).revision).toBe(2)
    expect((await dev.delete(url, ifMatch(2))).status).toBe(200)
  })

  test('an object of another project is not found, and nothing of it is listed', async () => {
    const team = staff(s)
    team.sessions.roles.set(`usr_developer ${s.other.id}`, 'DEVELOPER')
    const call = team.as('DEVELOPER')
    const foreign = await dataOf(call.post(path, kind.body(), { projectId: s.other.id }))
    for (const id of [foreign.id, 'damaged', '%20', 'x'.repeat(300)]) {
      await refused(s, () => call.get(`${path}/${id}`), 404, 'NOT_FOUND')
      await refused(s, () => call.patch(`${path}/${id}`, kind.change), 404, 'NOT_FOUND')
      await refused(s, () => call.delete(`${path}/${id}`), 404, 'NOT_FOUND')
    }
    expect(idsOf(await listed(path))).not.toContain(foreign.id)
  })

  test('only who may write them writes them', async () => {
    const { id } = await made(kind)
    for (const role of kind.lacking) {
      const call = staff(s).as(role)
      await refused(s, () => call.post(path, kind.body()), 403, 'CAPABILITY_REQUIRED')
      await refused(s, () => call.patch(`${path}/${id}`, kind.change), 403, 'CAPABILITY_REQUIRED')
      await refused(s, () => call.delete(`${path}/${id}`), 403, 'CAPABILITY_REQUIRED')
    }
    await refused(s, () => staff(s).as('SUPPORT_READ').delete(`${path}/${id}`), 403, 'SUPPORT_ACCESS_READ_ONLY')
    await refused(s, () => staff(s).as('STRANGER').get(path), 404, 'NOT_FOUND')
  })

  test('a list is read in pages, newest first, and its cursor belongs to it', async () => {
    for (let more = 0; more < 3; more++) await made(kind)
    const all = await listed(path)
    const seen: unknown[] = []
    let cursor: string | null = null
    do {
      const more: string = cursor === null ? '' : `&cursor=${cursor}`
      const page = await dataOf(support.get(`${path}?limit=2${more}`))
      seen.push(...page.items)
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(all)
    const { nextCursor } = await dataOf(support.get(`${path}?limit=1`))
    const elsewhere = path === '/audiences' ? '/placements' : '/audiences'
    for (const url of [`${elsewhere}?cursor=${nextCursor}`, `${path}?cursor=abc`, `${path}?limit=0`, `${path}?more=1`])
      await refused(s, () => support.get(url), 400, 'VALIDATION_ERROR')
  })
})

describe('audiences', () => {
  test('tell what names them, and are not deleted while something does', async () => {
    const audience = await made(KINDS.audiences as Kind)
    const flag = await made(KINDS.flags as Kind, { rules: [{ audienceId: audience.id, value: 'b' }] })
    const experiment = await made(KINDS.experiments as Kind, { audienceId: audience.id })
    const placement = await made(KINDS.placements as Kind, {
      rows: [{ audienceId: audience.id, target: { type: 'none' } }],
    })
    const references = [
      { type: 'flag', id: flag.id, name: `${flag.key} (PROD)` },
      { type: 'experiment', id: experiment.id, name: experiment.key },
      { type: 'placement', id: placement.id, name: placement.identifier },
    ]
    const url = `/audiences/${audience.id}`
    expect((await dataOf(support.get(url))).references).toEqual(references)
    expect(await refused(s, () => dev.delete(url), 409, 'audience_in_use')).toEqual({ references })
    for (const { path, id } of [
      { path: '/feature-flags', id: flag.id },
      { path: '/experiments', id: experiment.id },
      { path: '/placements', id: placement.id },
    ])
      await dataOf(dev.delete(`${path}/${id}`))
    await dataOf(dev.delete(url))
  })

  test('All users cannot be changed or deleted', async () => {
    const everybody = (await listed('/audiences')).find((row: { isDefault: boolean }) => row.isDefault)
    await refused(s, () => dev.patch(`/audiences/${everybody.id}`, { name: 'Some' }), 409, 'CONFLICT')
    await refused(s, () => dev.delete(`/audiences/${everybody.id}`), 409, 'CONFLICT')
  })

  test('wrong rules are refused with their place', async () => {
    const post = (rules: unknown) => dev.post('/audiences', { name: fresh(), rules })
    const { fields } = await refused(s, () => post({ age: { $about: 5 } }), 400, 'VALIDATION_ERROR')
    expect(fields).toEqual(['rules.age.$about'])
    for (const wrong of [[], null, 'x', { a: { b: 1 } }, { a: { $in: Array.from({ length: 501 }, () => 1) } }])
      await refused(s, () => post(wrong), 400, 'VALIDATION_ERROR')
  })

  test('a preview counts whom rules would match, and writes nothing', async () => {
    for (const [device, country] of [
      ['svc_p1', 'TR'],
      ['svc_p2', 'TR'],
      ['svc_p3', 'DE'],
    ] as const) {
      const body = { attributes: { country } }
      expect((await s.post(`/v1/config?subscriberId=${device}`, body)).status).toBe(200)
    }
    const preview = await changes(s, () => support.post('/audiences/preview', { rules: { country: 'TR' } }), [])
    expect(preview).toEqual({
      matching: 2,
      total: 3,
      sample: ['svc_p1', 'svc_p2'].map((deviceKey) => ({ id: expect.any(String), deviceKey, appUserId: null })),
    })
    await refused(s, () => support.post('/audiences/preview', { rules: { $or: 1 } }), 400, 'VALIDATION_ERROR')
    await refused(s, () => support.post('/audiences/preview', {}), 400, 'VALIDATION_ERROR')
    await refused(s, () => support.post('/audiences/preview', { rules: {}, more: 1 }), 400, 'VALIDATION_ERROR')
  })
})

describe('feature flags', () => {
  const flag = KINDS.flags as Kind

  test('are filtered by environment and key', async () => {
    const key = fresh('both')
    const [prod, staging] = [await made(flag, { key }), await made(flag, { key, env: 'STAGING' })]
    const ids = async (query: string) => idsOf((await dataOf(support.get(`/feature-flags?limit=200&${query}`))).items)
    expect(await ids(`key=${key}`)).toEqual([staging.id, prod.id])
    expect(await ids(`key=${key}&env=prod`)).toEqual([prod.id])
    expect(await ids('env=STAGING')).toEqual([staging.id])
    expect(await ids('key=nothing')).toEqual([])
    await refused(s, () => support.get('/feature-flags?env=test'), 400, 'VALIDATION_ERROR')
    const { nextCursor } = await dataOf(support.get(`/feature-flags?limit=1&key=${key}`))
    await refused(s, () => support.get(`/feature-flags?limit=1&cursor=${nextCursor}`), 400, 'VALIDATION_ERROR')
  })

  test('are switched on and off', async () => {
    const { id } = await made(flag)
    const toggle = (isEnabled: unknown) => () => dev.post(`/feature-flags/${id}/toggle`, { isEnabled })
    expect(await changes(s, toggle(false), ['flag.update'])).toMatchObject({ isEnabled: false, revision: 2 })
    expect(await changes(s, toggle(false), [])).toMatchObject({ isEnabled: false, revision: 2 })
    expect(await changes(s, toggle(true), ['flag.update'])).toMatchObject({ isEnabled: true, revision: 3 })
    await refused(s, toggle('yes'), 400, 'VALIDATION_ERROR')
    await refused(s, () => dev.post('/feature-flags/flg_1/toggle', { isEnabled: true }), 404, 'NOT_FOUND')
    await refused(s, () => support.post(`/feature-flags/${id}/toggle`, { isEnabled: true }), 403, 'CAPABILITY_REQUIRED')
  })

  test('wrong values and rules are refused with their place', async () => {
    const cases: [string[], Record<string, unknown>][] = [
      [['defaultValue'], { defaultValue: 5 }],
      [['rules[0].value'], { rules: [{ value: 5 }] }],
      [['rules[0].audienceId'], { rules: [{ value: 'a', audienceId: 'aud_nothing' }] }],
      [['rules[0].conditions.a.$x'], { rules: [{ value: 'a', conditions: { a: { $x: 1 } } }] }],
      [['defaultValue'], { type: 'JSON', defaultValue: 'x'.repeat(64 * 1024) }],
    ]
    for (const [fields, wrong] of cases) {
      const details = await refused(
        s,
        () => dev.post('/feature-flags', { ...flag.body(), ...wrong }),
        400,
        'VALIDATION_ERROR',
      )
      expect(details.fields).toEqual(fields)
    }
    for (const wrong of [
      { env: 'TEST' },
      { type: 'DATE' },
      { rules: Array.from({ length: 51 }, () => ({ value: 'a' })) },
      { rules: [{ value: 'a', rolloutPercentage: 2 }] },
      { rules: [{ value: 'a', weight: 2 }] },
      { description: 'x'.repeat(1001) },
    ])
      await refused(s, () => dev.post('/feature-flags', { ...flag.body(), ...wrong }), 400, 'VALIDATION_ERROR')
  })

  test('a key names a flag or an experiment, not both', async () => {
    const experiment = await made(KINDS.experiments as Kind)
    const saved = await made(flag)
    await refused(s, () => dev.post('/feature-flags', { ...flag.body(), key: experiment.key }), 409, 'CONFLICT')
    await refused(s, () => dev.patch(`/experiments/${experiment.id}`, { key: saved.key }), 409, 'CONFLICT')
  })

  describe('over all environments', () => {
    const env = (defaultValue: unknown, more = {}) => ({ defaultValue, ...more })
    const put = (key: string, body: unknown, options = {}) => dev.put(`/feature-flags/by-key/${key}`, body, options)
    const get = (key: string) => dataOf(support.get(`/feature-flags/by-key/${key}`))

    test('are written as one change with one audit row for each that differs', async () => {
      const key = fresh('all')
      await refused(s, () => support.get(`/feature-flags/by-key/${key}`), 404, 'NOT_FOUND')
      const first = { type: 'STRING', description: 'Why', environments: { PROD: env('a'), STAGING: env('b') } }
      const created = await changes(s, () => put(key, first), ['flag.create', 'flag.create'])
      expect(created).toMatchObject({
        key,
        type: 'STRING',
        description: 'Why',
        environments: {
          PROD: { defaultValue: 'a', rules: [], isEnabled: true, revision: 1 },
          STAGING: { defaultValue: 'b', revision: 1 },
          DEVELOPMENT: null,
        },
      })
      expect(await get(key)).toEqual(created)
      expect(await changes(s, () => put(key, first), [])).toEqual(created)
      const one = { ...first, environments: { ...first.environments, STAGING: env('c') } }
      const changed = await changes(s, () => put(key, one), ['flag.update'])
      expect(changed.revision).not.toBe(created.revision)
      expect(changed.environments).toMatchObject({ PROD: { revision: 1 }, STAGING: { revision: 2, defaultValue: 'c' } })
      await refused(s, () => put(key, first, ifMatch(created.revision)), 409, 'CONFLICT')
      const other = {
        type: 'NUMBER',
        environments: { PROD: env(1, { isEnabled: false }), STAGING: null, DEVELOPMENT: env(2) },
      }
      const options = ifMatch(changed.revision)
      const actions = ['flag.delete', 'flag.update', 'flag.create']
      const replaced = await changes(s, () => put(key, other, options), actions)
      expect(replaced).toMatchObject({
        type: 'NUMBER',
        description: null,
        environments: { PROD: { defaultValue: 1, isEnabled: false }, STAGING: null, DEVELOPMENT: { defaultValue: 2 } },
      })
      expect(await get(key)).toEqual(replaced)
    })

    test('the revision of no flag writes a new one, and refuses a key that any environment has', async () => {
      const body = { type: 'STRING', environments: { PROD: env('a'), STAGING: env('a'), DEVELOPMENT: env('a') } }
      const created = ['flag.create', 'flag.create', 'flag.create']
      await changes(s, () => put(fresh('new'), body, ifMatch(NO_FLAG)), created)
      for (const where of ['PROD', 'STAGING', 'DEVELOPMENT']) {
        const { key } = await made(flag, { env: where })
        const details = await refused(s, () => put(key, body, ifMatch(NO_FLAG)), 409, 'CONFLICT')
        expect(details.revision).not.toBe(NO_FLAG)
      }
    })

    test('of two at once with the same revision exactly one wins', async () => {
      const key = fresh('race')
      const { revision } = await dataOf(put(key, { type: 'NUMBER', environments: { PROD: env(1) } }))
      const race = await Promise.all(
        [2, 3].map((value) => put(key, { type: 'NUMBER', environments: { PROD: env(value) } }, ifMatch(revision))),
      )
      expect(race.map(({ status }) => status).sort()).toEqual([200, 409])
    })

    test('a revision is not repeated after a flag of one environment was deleted and made again', async () => {
      const key = fresh('again')
      const body = { type: 'NUMBER', environments: { PROD: env(1), STAGING: env(1) } }
      const { revision, environments } = await dataOf(put(key, body))
      await dataOf(dev.delete(`/feature-flags/${environments.STAGING.id}`))
      await made(flag, { key, env: 'STAGING', type: 'NUMBER', defaultValue: 9 })
      await refused(s, () => put(key, body, ifMatch(revision)), 409, 'CONFLICT')
    })

    test('are deleted as one change, and not at all when one of them was changed meanwhile', async () => {
      const key = fresh('gone')
      const path = `/feature-flags/by-key/${key}`
      await refused(s, () => dev.delete(path), 404, 'NOT_FOUND')
      const body = { type: 'NUMBER', environments: { PROD: env(1), STAGING: env(1), DEVELOPMENT: env(1) } }
      const before = await dataOf(put(key, body))
      const { id } = before.environments.DEVELOPMENT
      await dataOf(dev.patch(`/feature-flags/${id}`, { isEnabled: false }))
      const details = await refused(s, () => dev.delete(path, ifMatch(before.revision)), 409, 'CONFLICT')
      const { revision } = await get(key)
      expect(details.revision).toBe(revision)
      await refused(s, () => staff(s).as('CUSTOMER_SUPPORT').delete(path), 403, 'CAPABILITY_REQUIRED')
      const actions = ['flag.delete', 'flag.delete', 'flag.delete']
      expect(await changes(s, () => dev.delete(path, ifMatch(revision)), actions)).toEqual({ deleted: true })
      await refused(s, () => support.get(path), 404, 'NOT_FOUND')
    })

    test('one fault refuses all of it, with its place', async () => {
      const key = fresh('fault')
      const post = (body: unknown, name = key) => put(name, body)
      const mixed = { type: 'NUMBER', environments: { PROD: env(1), DEVELOPMENT: env('x') } }
      const details = await refused(s, () => post(mixed), 400, 'VALIDATION_ERROR')
      expect(details.fields).toEqual(['environments.DEVELOPMENT.defaultValue'])
      for (const wrong of [
        { type: 'NUMBER', environments: {} },
        { type: 'NUMBER', environments: { PROD: null } },
        { type: 'NUMBER', environments: { TEST: env(1) } },
        { type: 'NUMBER', environments: { PROD: {} } },
        { environments: { PROD: env(1) } },
      ])
        await refused(s, () => post(wrong), 400, 'VALIDATION_ERROR')
      await refused(s, () => post({ type: 'NUMBER', environments: { PROD: env(1) } }, 'a%20b'), 400, 'VALIDATION_ERROR')
      const { key: held } = await made(KINDS.experiments as Kind)
      await refused(s, () => post({ type: 'NUMBER', environments: { PROD: env(1) } }, held), 409, 'CONFLICT')
      const call = staff(s).as('CUSTOMER_SUPPORT')
      await refused(s, () => call.put(`/feature-flags/by-key/${key}`, mixed), 403, 'CAPABILITY_REQUIRED')
    })
  })
})
