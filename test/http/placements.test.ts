import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { etagOf } from '../../src/base/http/etag'
import { touchConfig } from '../../src/projects/project/service'
import { LIFETIME, type Stage, stage } from '../support/cast'
import { changeSettings, expectRefused, identify, rowOf } from '../support/facts'
import { CONTENT, clearPlacements, EXPERIMENT, FUNNEL, NONE, place } from '../support/placements'
import { isPostgresRun } from '../support/postgres'
import { clearRemote, configOf, configure, variantsOf } from '../support/remote'

let s: Stage
beforeAll(async () => {
  s = await stage()
  for (const device of [ADA, BO]) await configOf(s, device)
})
afterEach(async () => {
  await clearRemote(s)
  await clearPlacements(s)
})
afterAll(() => s.close())

// Buckets of onboarding_test: svc_8fK2mQ7xLw 2459 (a), svc_Zt4Rr0Pn1c 8120 (b); holdout: svc_8fK2mQ7xLw 4215.
const ADA = 'svc_8fK2mQ7xLw'
const BO = 'svc_Zt4Rr0Pn1c'
const PATH = '/v1/placements/onboarding'
const NOTHING = { placement: null, funnel: null, experiment: null, offering: null }
const EMPTY = { placement: { identifier: 'onboarding', revision: 4 }, funnel: null, experiment: null, offering: null }
const FUNNELS = [{ id: 'fnl_1' }, { id: 'fnl_2' }, { id: 'fnl_3' }]
const TEST = {
  id: 'exp_1',
  key: 'onboarding_test',
  type: 'FUNNEL' as const,
  variants: [
    { id: 'a', name: 'Long', weight: 0.5, value: { funnelId: 'fnl_1' } },
    { id: 'b', name: 'Short', weight: 0.5, value: { funnelId: 'fnl_2' } },
  ],
}

async function placementFor(device?: string, path = PATH) {
  const { status, body } = await s.get(path, device)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data
}

/** The answer in short: the funnel, or the variant and the weights of the experiment. */
async function brief(device?: string) {
  const { headers, body } = await s.get(PATH, device)
  const { funnel, experiment, placement } = body.data
  const weights = experiment?.variants.map(({ weight }: { weight: number }) => weight)
  const source = headers.get('x-svc-experiment')
  if (experiment) return [experiment.bucketingId, experiment.assignedVariantId, weights, source]
  return [funnel?.id ?? (placement && 'empty'), source]
}

const everything = async () => {
  await s.ctx.state.assignments.flush()
  const { subscribers, assignments, events } = s.ctx.tables
  return Promise.all([subscribers, assignments, events].map((table) => s.ctx.db.$count(table)))
}

describe('who may ask', () => {
  test('a key is needed, either kind will do, and an identity is not', async () => {
    expect((await s.get(PATH, ADA, { key: null })).status).toBe(401)
    for (const key of [s.project.publicKey, s.project.secretKey])
      expect((await s.get(PATH, undefined, { key })).status).toBe(200)
  })

  test.each([
    ['a device key that nobody may have', '', { 'x-svc-user-id': 'ios:1' }],
    ['a device key that is too long', `?subscriberId=${'x'.repeat(129)}`, {}],
    ['a locale that is none', '?locale=en_US', {}],
    ['a locale that is too long', `?locale=en${'-abcdefgh'.repeat(4)}`, {}],
  ])('%s is refused', async (_what, query, headers) => {
    await expectRefused(s, () => s.get(PATH + query, undefined, { headers }), 400, 'VALIDATION_ERROR')
  })

  test('another project’s placement is as one that is not there', async () => {
    await place(s, { funnels: FUNNELS, placements: [{ rows: [FUNNEL('fnl_1')] }] }, s.other.id)
    expect(await placementFor(ADA)).toEqual(NOTHING)
  })
})

describe('the five outcomes', () => {
  test('nothing at all, for a name that there is not, whatever it is', async () => {
    for (const name of ['unknown', '%20', 'ü', '__proto__', 'constructor', 'a'.repeat(255)])
      expect(await placementFor(ADA, `/v1/placements/${name}`)).toEqual(NOTHING)
  })

  test('nothing at all, for one that is not active', async () => {
    await place(s, { funnels: FUNNELS, placements: [{ isActive: false, rows: [FUNNEL('fnl_1')] }] })
    for (const device of [undefined, ADA]) expect(await placementFor(device)).toEqual(NOTHING)
  })

  test('an empty one, when no row matches or the row says none', async () => {
    await place(s, { placements: [{ rows: [] }, { identifier: 'none', rows: [NONE] }] })
    expect(await placementFor(ADA)).toEqual(EMPTY)
    expect(await placementFor(ADA, '/v1/placements/none')).toEqual({
      ...EMPTY,
      placement: { identifier: 'none', revision: 4 },
    })
  })

  test('a funnel, as it was published, with what the next receipt carries', async () => {
    const offering = (await s.get('/v1/offerings/standard')).body.data
    const document = { ...CONTENT, settings: { offeringId: `off_1default`.padEnd(30, '0') } }
    await place(s, {
      funnels: [{ id: 'fnl_1', slug: 'long', name: 'Long', currentVersionNo: 3, document }],
      placements: [{ rows: [FUNNEL('fnl_1')] }],
    })
    expect(await placementFor(ADA)).toEqual({
      ...EMPTY,
      funnel: {
        ...CONTENT,
        id: 'fnl_1',
        slug: 'long',
        name: 'Long',
        versionNo: 3,
        configFormatVersion: 1,
        settings: { offering: 'standard' },
        locale: 'en',
        offering,
        presentedContext: {
          placementId: 'onboarding',
          placementRevision: 4,
          funnelId: 'fnl_1',
          funnelVersionNo: 3,
          variantId: null,
          experimentKey: null,
        },
      },
    })
  })

  test('an experiment with its declared weights; a repeat before any draw is the same', async () => {
    await configure(s, { experiments: [TEST] })
    await place(s, { funnels: FUNNELS, placements: [{ rows: [EXPERIMENT('exp_1')] }] })
    const { experiment } = await placementFor(ADA)
    expect(
      experiment.variants.map(({ funnel, ...variant }: { funnel: { id: string } }) => [variant, funnel.id]),
    ).toEqual([
      [{ variantId: 'a', weight: 0.5 }, 'fnl_1'],
      [{ variantId: 'b', weight: 0.5 }, 'fnl_2'],
    ])
    expect(experiment.variants[1].funnel.presentedContext).toMatchObject({
      variantId: 'b',
      experimentKey: 'onboarding_test',
    })
    expect(await brief(ADA)).toEqual([ADA, null, [0.5, 0.5], 'onboarding_test:a'])
    expect(await brief(BO)).toEqual([BO, null, [0.5, 0.5], 'onboarding_test:b'])
  })
})

describe('rows', () => {
  test('the audience decides, and an anonymous caller has no attributes', async () => {
    await configure(s, { audiences: [{ id: 'aud_tr', rules: { country: 'TR' } }] })
    await place(s, { funnels: FUNNELS, placements: [{ rows: [FUNNEL('fnl_1', 'aud_tr'), FUNNEL('fnl_2')] }] })
    await s.post('/v1/me/attributes', { attributes: { country: 'TR' } }, { headers: { 'x-svc-app-user-id': 'svc_tr' } })
    expect(await brief('svc_tr')).toEqual(['fnl_1', null])
    for (const device of [undefined, BO, 'svc_stranger']) expect(await brief(device)).toEqual(['fnl_2', null])
  })

  test('an audience may ask what only purchases tell', async () => {
    await configure(s, { audiences: [{ id: 'aud_pro', rules: { 'svc.hasActive': 'true' } }] })
    await place(s, { funnels: FUNNELS, placements: [{ rows: [FUNNEL('fnl_1', 'aud_pro'), FUNNEL('fnl_2')] }] })
    await s.receipt('svc_payer', s.buy(LIFETIME))
    expect(await brief('svc_payer')).toEqual(['fnl_1', null])
    expect(await brief(ADA)).toEqual(['fnl_2', null])
  })

  test('the audience of an experiment may ask that too', async () => {
    const audience = { id: 'aud_lapsed', rules: { 'svc.hasActive': 'false' } }
    await configure(s, { audiences: [audience], experiments: [{ ...TEST, audienceId: 'aud_lapsed' }] })
    await place(s, { funnels: FUNNELS, placements: [{ rows: [EXPERIMENT('exp_1'), FUNNEL('fnl_3')] }] })
    await s.receipt('svc_payer', s.buy(LIFETIME))
    expect(await brief('svc_payer')).toEqual(['fnl_3', null])
    expect((await brief(ADA))[0]).toBe(ADA)
  })

  test.each([
    ['a draft', { status: 'DRAFT' as const, currentVersionNo: null }],
    ['a funnel that was put back to draft', { status: 'DRAFT' as const }],
    ['an archived funnel', { status: 'ARCHIVED' as const }],
    ['a funnel whose version is gone', { status: 'PUBLISHED' as const, currentVersionNo: null }],
  ])('%s falls to the next row', async (_what, state) => {
    await place(s, {
      funnels: [{ id: 'fnl_1', ...state }, { id: 'fnl_2' }],
      placements: [{ rows: [FUNNEL('fnl_1'), FUNNEL('fnl_gone'), FUNNEL('fnl_2')] }],
    })
    expect(await brief(ADA)).toEqual(['fnl_2', null])
  })

  test('an experiment that does not run, is of another type or gone falls to the next row', async () => {
    const others = [
      { ...TEST, status: 'PAUSED' as const },
      { ...TEST, id: 'exp_2', key: 'flags', type: 'FLAG' as const },
    ]
    await configure(s, { experiments: others })
    const rows = [EXPERIMENT('exp_1'), EXPERIMENT('exp_2'), EXPERIMENT('exp_gone'), FUNNEL('fnl_3')]
    await place(s, { funnels: FUNNELS, placements: [{ rows }] })
    expect(await brief(ADA)).toEqual(['fnl_3', null])
  })
})

describe('the draw agrees with the server’s', () => {
  const set = () => place(s, { funnels: FUNNELS, placements: [{ rows: [EXPERIMENT('exp_1'), FUNNEL('fnl_3')] }] })

  test('a variant that is held goes with weight 1, written or not yet', async () => {
    await configure(s, { experiments: [TEST] })
    await set()
    expect(await variantsOf(s, BO)).toEqual({ onboarding_test: 'b' })
    expect(await brief(BO)).toEqual([BO, 'b', [0, 1], 'onboarding_test:b'])
    await s.ctx.state.assignments.flush()
    expect(await brief(BO)).toEqual([BO, 'b', [0, 1], 'onboarding_test:b'])
  })

  test('a device that was merged gets what the surviving row draws', async () => {
    await configure(s, { experiments: [TEST] })
    await set()
    const [first, second] = ['svc_m1', 'svc_m2']
    await identify(s, first, 'user_m')
    await identify(s, second, 'user_m')
    const owner = (await rowOf(s, first)).mergedInto === null ? first : second
    const [bucketingId, assigned] = await brief(owner === first ? second : first)
    expect(bucketingId).toBe(owner)
    expect(assigned).toMatch(/^[ab]$/)
    expect((await brief(owner))[1]).toBeNull()
  })

  test('an anonymous caller draws with whatever they have; a new device with the key it will be known by', async () => {
    await configure(s, { experiments: [TEST] })
    await set()
    expect(await brief()).toEqual([null, null, [0.5, 0.5], null])
    expect(await brief('svc_d4')).toEqual(['svc_d4', null, [0.5, 0.5], expect.stringMatching(/^onboarding_test:[ab]$/)])
  })

  test('those held out see the control, plain; a new device too', async () => {
    await changeSettings(s, { holdoutPercentage: 50 })
    await configure(s, { experiments: [TEST] })
    await set()
    expect(await brief(ADA)).toEqual(['fnl_1', null])
    expect((await placementFor(ADA)).funnel.presentedContext).toMatchObject({ variantId: null, experimentKey: null })
    await changeSettings(s, { holdoutPercentage: 100 })
    expect(await brief('svc_never_seen')).toEqual(['fnl_1', null])
    expect(await brief()).toEqual([null, null, [0.5, 0.5], null])
    await changeSettings(s, { holdoutPercentage: 0 })
  })

  test('when a funnel of it cannot be loaded the first that can goes plain, and without any the next row', async () => {
    await configure(s, { experiments: [TEST] })
    await place(s, { funnels: [{ id: 'fnl_2' }], placements: [{ rows: [EXPERIMENT('exp_1'), NONE] }] })
    expect(await brief(ADA)).toEqual(['fnl_2', null])
    await clearPlacements(s)
    await place(s, { placements: [{ rows: [EXPERIMENT('exp_1'), NONE] }] })
    expect(await brief(ADA)).toEqual(['empty', null])
  })

  test('nothing is written, whoever asks and whatever is answered', async () => {
    await configure(s, { experiments: [TEST] })
    await set()
    const before = await everything()
    for (const device of [undefined, ADA, BO, 'svc_stranger']) await brief(device)
    expect(await everything()).toEqual(before)
    expect(await rowOf(s, 'svc_stranger').catch(() => null)).toBeFalsy()
  })
})

describe('locales', () => {
  const localeOf = async (query: string) => (await placementFor(undefined, PATH + query)).funnel.locale

  test('the very one, then the language, then the default', async () => {
    await place(s, { funnels: FUNNELS, placements: [{ rows: [FUNNEL('fnl_1')] }] })
    expect(await localeOf('')).toBe('en')
    expect(await localeOf('?locale=')).toBe('en')
    expect(await localeOf('?locale=tr')).toBe('tr')
    expect(await localeOf('?locale=tr-TR')).toBe('tr')
    expect(await localeOf('?locale=de')).toBe('en')
    await configure(s, { experiments: [TEST] })
    await place(s, { placements: [{ identifier: 'x', rows: [EXPERIMENT('exp_1')] }] })
    const { experiment } = await placementFor(undefined, '/v1/placements/x?locale=tr-TR')
    expect(experiment.variants.map(({ funnel }: { funnel: { locale: string } }) => funnel.locale)).toEqual(['tr', 'tr'])
  })
})

describe('tags', () => {
  const tagOf = async (device?: string, query = '') => (await s.get(PATH + query, device)).headers.get('etag')

  test('what has not changed is 304 with the same headers; every edit and every subscriber has another', async () => {
    await configure(s, { experiments: [TEST] })
    await place(s, { funnels: FUNNELS, placements: [{ rows: [EXPERIMENT('exp_1')] }] })
    const etag = (await tagOf(ADA)) ?? ''
    const { id } = await rowOf(s, ADA)
    expect(etag).toBe(etagOf(id, '/v1/placements/:identifier', (await s.get(PATH, ADA)).body))
    const again = await s.get(PATH, ADA, { headers: { 'if-none-match': etag } })
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, etag])
    expect(again.headers.get('x-svc-experiment')).toBe('onboarding_test:a')
    expect(new Set([etag, await tagOf(BO), await tagOf(), await tagOf(ADA, '?locale=tr')]).size).toBe(4)
    await s.ctx.write(async (tx) => {
      await tx.db.update(tx.tables.placements).set({ revision: 5 })
      await touchConfig(tx, s.project.id)
    })
    expect(await tagOf(ADA)).not.toBe(etag)
  })
})

describe('faults', () => {
  test('definitions come from memory: without an identity nothing is read', async () => {
    await configure(s, { experiments: [TEST] })
    await place(s, { funnels: FUNNELS, placements: [{ rows: [EXPERIMENT('exp_1')] }] })
    const expected = await placementFor()
    const { db } = s.ctx
    Object.assign(s.ctx, { db: null })
    const found = await placementFor().finally(() => Object.assign(s.ctx, { db }))
    expect(found).toEqual(expected)
  })

  test('what is broken in the database is given to nobody and logged; what stands beside it is untouched', async () => {
    const rows = [{ audienceId: null, target: { type: 'paywall' } } as never, FUNNEL('fnl_2')]
    await place(s, {
      funnels: [{ id: 'fnl_1', document: { ...CONTENT, pages: ['x'] } as never }, { id: 'fnl_2' }],
      placements: [{ rows }, { identifier: 'other', rows: [FUNNEL('fnl_1'), FUNNEL('fnl_2')] }],
    })
    s.ctx.lines.length = 0
    expect(await brief(ADA)).toEqual(['fnl_2', null])
    expect((await placementFor(ADA, '/v1/placements/other')).funnel.id).toBe('fnl_2')
    const warnings = s.ctx.lines
      .map((line) => JSON.parse(line))
      .filter(({ msg, message = msg }) => /is broken/.test(message))
    expect(warnings.map(({ kind, path }) => [kind, path]).sort()).toEqual([
      ['funnel', 'document'],
      ['placement', 'rows[0]'],
    ])
  })

  test.skipIf(isPostgresRun())('a text that is no JSON takes no other placement with it', async () => {
    await place(s, {
      funnels: FUNNELS,
      placements: [{ rows: [FUNNEL('fnl_1')] }, { identifier: 'other', rows: [FUNNEL('fnl_1'), FUNNEL('fnl_2')] }],
    })
    await s.ctx.write(async (tx) => {
      await tx.db.run(sql`UPDATE placements SET rows = '{' WHERE identifier = 'onboarding'`)
      await tx.db.run(sql`UPDATE funnel_versions SET document = '[' WHERE funnel_id = 'fnl_1'`)
      await touchConfig(tx, s.project.id)
    })
    expect(await placementFor(ADA)).toEqual(NOTHING)
    expect((await placementFor(ADA, '/v1/placements/other')).funnel.id).toBe('fnl_2')
  })
})
