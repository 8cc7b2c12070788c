import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { type Stage, stage } from '../support/cast'
import { expose } from '../support/experiments'
import { changes, configured, dataOf, ifMatch, refused } from '../support/operator'
import { FUNNEL, place } from '../support/placements'
import { HALVES } from '../support/remote'
import { type StaffCalls, staff } from '../support/staff'
import { openStream } from '../support/stream'

let s: Stage
let dev: StaffCalls
let support: StaffCalls

beforeAll(async () => {
  s = await stage()
  const team = staff(s)
  dev = team.as('DEVELOPER')
  support = team.as('CUSTOMER_SUPPORT')
  await place(s, { funnels: [{ id: 'fnl_a' }, { id: 'fnl_b' }] })
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // The rate of a user is counted by the minute.
afterAll(() => s.close())

let count = 0
const fresh = (name = 'x'): string => `${name}_${++count}`
const draft = (more = {}) => ({
  ...{ key: fresh('exp'), name: 'Test', type: 'FLAG', audienceId: null, variants: HALVES },
  ...more,
})
const create = (more = {}) => dataOf(dev.post('/experiments', draft(more)))
const act = (id: string, action: string, body = {}) => dev.post(`/experiments/${id}/${action}`, body)

describe('an experiment', () => {
  test('is started, paused, resumed, stopped and copied, each with one audit row', async () => {
    const { id, key } = await create()
    const url = `/experiments/${id}`
    for (const [action, status] of [
      ['start', 'RUNNING'],
      ['pause', 'PAUSED'],
      ['resume', 'RUNNING'],
      ['stop', 'COMPLETED'],
    ] as const)
      expect(await changes(s, () => act(id, action), [`experiment.${action}`])).toMatchObject({ id, status })
    expect(await dataOf(support.get(url))).toMatchObject({ status: 'COMPLETED', revision: 5, winnerVariantId: null })
    const copy = await changes(s, () => act(id, 'duplicate'), ['experiment.duplicate'], 201)
    expect(copy).toMatchObject({ key: `${key}-copy`, status: 'DRAFT', revision: 1, startedAt: null })
    expect(copy.id).not.toBe(id)
  })

  test('refuses what its status forbids', async () => {
    const { id } = await create()
    const url = `/experiments/${id}`
    const forbidden = async (actions: string[], status: string) => {
      for (const action of actions) {
        const call = () =>
          action === 'edit' ? dev.patch(url, { name: 'N' }) : action === 'delete' ? dev.delete(url) : act(id, action)
        expect(await refused(s, call, 400, 'EXPERIMENT_STATE')).toEqual({ action, status })
      }
    }
    await forbidden(['pause', 'resume', 'stop'], 'DRAFT')
    await dataOf(act(id, 'start'))
    await forbidden(['start', 'resume', 'delete'], 'RUNNING')
    expect((await refused(s, () => dev.patch(url, { key: fresh() }), 400, 'VALIDATION_ERROR')).fields).toEqual(['key'])
    await dataOf(act(id, 'pause'))
    await forbidden(['start', 'pause', 'edit', 'delete'], 'PAUSED')
    await dataOf(act(id, 'stop'))
    await forbidden(['start', 'pause', 'resume', 'stop', 'edit', 'delete'], 'COMPLETED')
  })

  test('is stopped with a winner, whose value can become a flag', async () => {
    const { id, key } = await create()
    await dataOf(act(id, 'start'))
    const unknown = await refused(s, () => act(id, 'stop', { winnerVariantId: 'z' }), 400, 'UNKNOWN_REFERENCES')
    expect(unknown).toEqual({ resource: 'variant', ids: ['z'] })
    await refused(s, () => act(id, 'stop', { promoteToFlag: true }), 400, 'VALIDATION_ERROR')
    await refused(s, () => act(id, 'stop', { winner: 'b' }), 400, 'VALIDATION_ERROR')
    const flags = ['flag.create', 'flag.create', 'flag.create']
    const body = { winnerVariantId: 'b', promoteToFlag: true }
    await changes(s, () => act(id, 'stop', body), ['experiment.stop', ...flags])
    expect((await dataOf(support.get(`/feature-flags/by-key/${key}`))).environments.PROD.defaultValue).toBe(2)
    const variants = ['fnl_a', 'fnl_b'].map((funnelId, index) => ({
      id: `v${index}`,
      name: 'V',
      weight: 0.5,
      value: { funnelId },
    }))
    const funnel = await create({ type: 'FUNNEL', variants })
    await dataOf(act(funnel.id, 'start'))
    const promote = { promoteToFlag: true, winnerVariantId: 'v0' }
    const details = await refused(s, () => act(funnel.id, 'stop', promote), 400, 'promote_requires_flag_experiment')
    expect(details).toEqual({ type: 'FUNNEL' })
  })

  test('names what is there, at times that are ahead', async () => {
    const offering = HALVES.map((variant, index) => ({ ...variant, value: index === 0 ? 'standard' : 'nothing' }))
    const wrong = draft({ type: 'OFFERING', variants: offering })
    const details = await refused(s, () => dev.post('/experiments', wrong), 400, 'UNKNOWN_REFERENCES')
    expect(details).toEqual({ resource: 'offering', ids: ['nothing'] })
    const [a, b] = HALVES
    for (const [fields, more] of [
      [['audienceId'], { audienceId: 'aud_nothing' }],
      [['scheduledStartAt'], { scheduledStartAt: toIso(s.ctx.clock.now()) }],
      [['variants'], { variants: [a] }],
      [['variants'], { variants: [a, { ...b, weight: 0.6 }] }],
      [['variants[1].id'], { variants: [a, { ...b, id: 'a' }] }],
      [['variants[0].id'], { variants: [{ ...a, id: '__x' }, b] }],
      [['variants'], { variants: [a, { ...b, value: 1 }] }],
    ] as const)
      expect((await refused(s, () => dev.post('/experiments', draft(more)), 400, 'VALIDATION_ERROR')).fields).toEqual([
        ...fields,
      ])
    for (const more of [
      { scheduledStartAt: 'tomorrow' },
      { scheduledStartAt: 5 },
      { variants: Array.from({ length: 21 }, () => a) },
      { type: 'PRICE' },
      { audienceId: undefined },
      { status: 'RUNNING' },
    ])
      await refused(s, () => dev.post('/experiments', draft(more)), 400, 'VALIDATION_ERROR')
    const scheduledStartAt = '2030-01-01T10:00:00+02:00'
    const timed = await create({ scheduledStartAt })
    expect(timed.scheduledStartAt).toBe('2030-01-01T08:00:00.000Z')
    expect(await dataOf(dev.patch(`/experiments/${timed.id}`, { scheduledStartAt: null }))).toMatchObject({
      scheduledStartAt: null,
    })
  })

  test('runs with at most 49 others', async () => {
    const running: string[] = []
    for (let more = 0; more < 51; more++) running.push((await create()).id)
    s.ctx.clock.advance(2 * MINUTE)
    let last = ''
    for (const id of running) {
      const answer = await act(id, 'start')
      if (answer.status !== 200) {
        last = id
        break
      }
    }
    await refused(s, () => act(last, 'start'), 409, 'CONFLICT')
    s.ctx.clock.advance(2 * MINUTE)
    for (const id of running) if (id !== last) await act(id, 'stop')
    expect((await act(last, 'start')).status).toBe(200)
  })

  test('of another project, or without the right, is not acted on', async () => {
    const team = staff(s)
    team.sessions.roles.set(`usr_developer ${s.other.id}`, 'DEVELOPER')
    const call = team.as('DEVELOPER')
    const foreign = await dataOf(call.post('/experiments', draft(), { projectId: s.other.id }))
    const { id } = await create()
    for (const action of ['start', 'pause', 'resume', 'stop', 'duplicate']) {
      await refused(s, () => call.post(`/experiments/${foreign.id}/${action}`), 404, 'NOT_FOUND')
      await refused(
        s,
        () => team.as('CUSTOMER_SUPPORT').post(`/experiments/${id}/${action}`),
        403,
        'CAPABILITY_REQUIRED',
      )
    }
    await refused(s, () => call.get(`/experiments/${foreign.id}/results`), 404, 'NOT_FOUND')
    await refused(s, () => dev.post(`/experiments/${id}/start`, {}, ifMatch(9)), 409, 'CONFLICT')
  })

  test('has the results that the server of the customer gets, unless analytics is off', async () => {
    const { id, key } = await create()
    await dataOf(act(id, 'start'))
    expect((await expose(s, 'svc_d4', 'b', {}, key)).status).toBe(200)
    const results = await dataOf(support.get(`/experiments/${id}/results`))
    const { body } = await s.get(`/v1/experiments/${id}/results`, undefined, { key: s.project.secretKey })
    expect(results).toEqual({ ...body.data, decidedBy: null })
    expect(results.variants).toMatchObject([{ exposures: 0 }, { exposures: 1 }])
    const off = await stage({ env: { SVC_ANALYTICS_URL: 'off' } })
    const call = staff(off).as('DEVELOPER')
    const made = await dataOf(call.post('/experiments', draft()))
    await refused(off, () => call.get(`/experiments/${made.id}/results`), 503, 'ANALYTICS_UNAVAILABLE')
    await off.close()
  })
})

describe('a placement', () => {
  const body = (more = {}) => ({ identifier: fresh('plc'), name: 'Place', rows: [], ...more })
  const make = (more = {}) => dataOf(dev.post('/placements', body(more)))

  test('names what is there', async () => {
    const flag = await create()
    for (const [details, row] of [
      [
        { kind: 'audience', ids: ['aud_x'] },
        { audienceId: 'aud_x', target: { type: 'none' } },
      ],
      [
        { kind: 'funnel', ids: ['fnl_x'] },
        { audienceId: null, target: { type: 'funnel', funnelId: 'fnl_x' } },
      ],
      [
        { kind: 'experiment', ids: ['exp_x'] },
        { audienceId: null, target: { type: 'experiment', experimentId: 'exp_x' } },
      ],
      [
        { kind: 'experimentType', ids: [flag.id] },
        { audienceId: null, target: { type: 'experiment', experimentId: flag.id } },
      ],
    ] as const) {
      expect(await refused(s, () => dev.post('/placements', body({ rows: [row] })), 400, 'INVALID_ROW_REF')).toEqual(
        details,
      )
      const { id } = await make()
      expect(await refused(s, () => dev.patch(`/placements/${id}`, { rows: [row] }), 400, 'INVALID_ROW_REF')).toEqual(
        details,
      )
    }
    const none = { audienceId: null, target: { type: 'none' } }
    for (const rows of [
      [none, none],
      Array.from({ length: 51 }, () => none),
      [{ target: { type: 'none' } }],
      [{ audienceId: null, target: { type: 'page' } }],
      [{ audienceId: null, target: { type: 'none', funnelId: 'fnl_a' } }],
      'all',
    ])
      await refused(s, () => dev.post('/placements', body({ rows })), 400, 'VALIDATION_ERROR')
  })

  test('is shown by apps at once, in the revision that the dashboard shows', async () => {
    const { id, identifier } = await make({ rows: [FUNNEL('fnl_a')] })
    const shown = async () => (await s.get(`/v1/placements/${identifier}`)).body.data
    expect(await shown()).toMatchObject({ placement: { identifier, revision: 1 }, funnel: { id: 'fnl_a' } })
    await dataOf(dev.patch(`/placements/${id}`, { rows: [FUNNEL('fnl_b')] }, ifMatch(1)))
    expect(await shown()).toMatchObject({ placement: { identifier, revision: 2 }, funnel: { id: 'fnl_b' } })
    await dataOf(dev.patch(`/placements/${id}`, { isActive: false }))
    expect((await shown()).placement).toBeNull()
  })

  test('counts resolutions, exposures, purchases and revenue', async () => {
    const { id, identifier } = await make({ rows: [FUNNEL('fnl_a')] })
    const metrics = () => dataOf(support.get(`/placements/${id}/metrics`))
    const nothing = { resolutions: 0, exposures: 0, purchases: 0, revenue: { amountMicros: 0, currency: 'USD' } }
    expect(await metrics()).toEqual(nothing)
    for (let times = 0; times < 3; times++) await s.get(`/v1/placements/${identifier}`, 'svc_m')
    await s.get('/v1/placements/nothing', 'svc_m')
    expect(await metrics()).toEqual({ ...nothing, resolutions: 3 })
    await s.get(`/v1/placements/${identifier}`)
    const running = await create()
    await dataOf(act(running.id, 'start'))
    expect((await expose(s, 'svc_d4', 'b', { placementId: identifier }, running.key)).status).toBe(200)
    expect((await expose(s, 'svc_8fK2mQ7xLw', 'a', { placementId: 'other' }, running.key)).status).toBe(200)
    await sell(identifier, 9_990_000, -1_000_000)
    await sell('other', 5_000_000)
    expect(await metrics()).toEqual({
      resolutions: 4,
      exposures: 1,
      purchases: 1,
      revenue: { amountMicros: 8_990_000, currency: 'USD' },
    })
    await refused(s, () => support.get('/placements/plc_nothing/metrics'), 404, 'NOT_FOUND')
    await refused(s, () => staff(s).as('STRANGER').get(`/placements/${id}/metrics`), 404, 'NOT_FOUND')
  })

  test('all active ones are exported for the time without a network, without an envelope', async () => {
    const { identifier } = await make({ rows: [FUNNEL('fnl_a')] })
    const hidden = await make({ rows: [FUNNEL('fnl_a')], isActive: false })
    const answer = await support.get('/placements/fallback-export')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="placements.json"')
    expect(answer.body).toMatchObject({ formatVersion: 1, projectId: s.project.id })
    expect(answer.body.placements[identifier]).toEqual((await s.get(`/v1/placements/${identifier}`)).body.data)
    expect(answer.body.placements[hidden.identifier]).toBeUndefined()
    await refused(s, () => staff(s).as('STRANGER').get('/placements/fallback-export'), 404, 'NOT_FOUND')
  })
})

/** A purchase in production with a placement in its receipt. No test store sells in production. */
async function sell(placementId: string, ...usdMicros: number[]): Promise<void> {
  const receipt = await s.receipt(
    fresh('svc_s'),
    s.buy({ productId: 'com.x.lifetime', type: 'Non-Consumable', period: null, price: 5, currency: 'USD' }),
  )
  expect(receipt.status).toBe(200)
  const { purchases: p, transactions: t } = s.ctx.tables
  const rows = await s.ctx.db.select().from(p)
  const [sold] = rows.sort((a, b) => (a.id < b.id ? 1 : -1))
  const [line] = await s.ctx.db.select().from(t)
  if (!sold || !line) throw new Error('nothing was sold')
  const id = `pur_${fresh()}`
  const context = { placementId, placementRevision: 1 }
  await s.ctx.write(async (tx) => {
    await tx.db.insert(p).values({ ...sold, id, environment: 'PRODUCTION', presentedContext: context, chainKey: id })
    for (const amount of usdMicros) {
      const own = { id: `txn_${fresh()}`, purchaseId: id, environment: 'PRODUCTION' as const, revenueKey: fresh() }
      await tx.db.insert(t).values({ ...line, ...own, usdMicros: amount })
    }
  })
}

describe('what flags read of one person', () => {
  test('is all that a browser needs to evaluate a draft, and is not written', async () => {
    const key = fresh('draft')
    const rules = [{ conditions: { country: 'TR' }, value: 'tr' }]
    await dataOf(dev.post('/feature-flags', { key, env: 'STAGING', type: 'STRING', defaultValue: 'a', rules }))
    const running = await create()
    await dataOf(act(running.id, 'start'))
    const config = await s.post('/v1/config?subscriberId=svc_e', { attributes: { country: 'TR', platform: 'ios' } })
    const { variantId } = config.body.data.experiments[running.key]
    const { subscribers } = s.ctx.tables
    const [row] = (await s.ctx.db.select().from(subscribers)).filter(({ deviceKey }) => deviceKey === 'svc_e')
    const url = `/subscribers/${row?.id}/evaluation`
    const before = await configured(s)
    const answer = await dataOf(support.get(`${url}?env=staging`))
    expect(answer).toMatchObject({
      subscriberId: row?.id,
      env: 'STAGING',
      attributes: { country: 'TR', platform: 'ios' },
      bucketingId: 'svc_e',
      builtIns: { 'svc.deviceKey': 'svc_e', 'svc.platform': 'ios', 'svc.appUserId': null, 'svc.hasActive': 'false' },
    })
    expect(Object.keys(answer.builtIns)).toHaveLength(16)
    expect(answer.heldVariants).toContainEqual({ experimentId: running.id, variantId })
    expect(answer.flags).toContainEqual({ key, value: 'tr', reason: 'TARGETING_MATCH', variant: 'rule:0' })
    expect((await dataOf(support.get(url))).flags.map((flag: { key: string }) => flag.key)).not.toContain(key)
    expect(await configured(s)).toEqual(before)
    await refused(s, () => support.get(`${url}?env=test`), 400, 'VALIDATION_ERROR')
    await refused(s, () => support.get(`${url}?more=1`), 400, 'VALIDATION_ERROR')
    await refused(s, () => support.get('/subscribers/sub_nothing/evaluation'), 404, 'NOT_FOUND')
    const team = staff(s)
    team.sessions.roles.set(`usr_developer ${s.other.id}`, 'DEVELOPER')
    const elsewhere = { projectId: s.other.id }
    await refused(s, () => team.as('DEVELOPER').get(url, elsewhere), 404, 'NOT_FOUND')
  })
})

describe('a change in the dashboard reaches apps at once', () => {
  test('open streams and the next answer, for flags, experiments and audiences', async () => {
    const audience = await dataOf(dev.post('/audiences', { name: fresh(), rules: {} }))
    const key = fresh('live')
    const rules = [{ audienceId: audience.id, value: 'in' }]
    const stream = await openStream(s, 'subscriberId=svc_live')
    await stream.data('initial')
    const config = async () => (await s.get('/v1/config?subscriberId=svc_live')).body.data
    const flag = await dataOf(
      dev.post('/feature-flags', { key, env: 'PROD', type: 'STRING', defaultValue: 'out', rules }),
    )
    expect((await stream.data('invalidate')).flags[key]).toBe('in')
    expect((await config()).flags[key]).toBe('in')
    await dataOf(dev.patch(`/audiences/${audience.id}`, { rules: { country: 'XX' } }))
    expect((await stream.data('invalidate')).flags[key]).toBe('out')
    expect((await config()).flags[key]).toBe('out')
    const experiment = await create()
    await stream.data('invalidate')
    await dataOf(act(experiment.id, 'start'))
    expect(Object.keys((await stream.data('invalidate')).experiments)).toContain(experiment.key)
    expect(Object.keys((await config()).experiments)).toContain(experiment.key)
    await dataOf(dev.post(`/feature-flags/${flag.id}/toggle`, { isEnabled: false }))
    expect((await stream.data('invalidate')).flags[key]).toBeUndefined()
    expect((await config()).flags[key]).toBeUndefined()
    await stream.leave()
  })

  test('the catalogue too: what an app can buy, what it gives and what can be booked', async () => {
    const access = await dataOf(dev.post('/access', { identifier: fresh('acc'), displayName: 'A' }))
    const identifier = fresh('prd')
    const product = await dataOf(
      dev.post('/products', { identifier, type: 'SUBSCRIPTION', displayName: 'P', accessIds: [access.id] }),
    )
    const offering = fresh('off')
    const packages = [{ identifier: 'm', productId: product.id }]
    await dataOf(dev.post('/offerings', { identifier: offering, packages }))
    const shown = async () => (await s.get(`/v1/offerings/${offering}`)).body.data.packages
    expect(await shown()).toMatchObject([{ identifier, displayName: 'P', accessIds: [access.id] }])
    await dataOf(dev.patch(`/products/${product.id}`, { displayName: 'Q' }))
    expect(await shown()).toMatchObject([{ displayName: 'Q' }])
    await dataOf(dev.patch(`/products/${product.id}`, { isActive: false }))
    expect(await shown()).toEqual([])
    const code = fresh('vcy')
    const book = () =>
      s.post(
        `/v1/virtual-currencies/svc_live/${code}/transactions`,
        { amount: 1, idempotencyKey: fresh() },
        { key: s.project.secretKey },
      )
    expect((await book()).status).toBe(404)
    await dataOf(dev.post('/virtual-currencies', { code, name: 'C' }))
    expect((await book()).status).toBe(200)
  })
})
