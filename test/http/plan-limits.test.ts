import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DEFAULT_PLANS, type Tier } from '../../src/base/config-cloud'
import { DAY } from '../../src/base/lib/clock'
import { sweepRetention } from '../../src/base/retention/sweep'
import { setPlan } from '../../src/projects/billing/service'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { arrive, join, type Person, PLATFORM_DOMAIN } from '../support/crew'
import { mp4, send } from '../support/files'
import { dataOf, refused } from '../support/operator'
import { type Staff, staff } from '../support/staff'

/** FREE includes 10 events, 30,000 bytes of files and one domain; INDIE 1000, 100,000 and two. */
const PLANS = DEFAULT_PLANS.map((plan) => {
  const [events, storageBytes, customDomains] =
    { FREE: [10, 30_000, 1], INDIE: [1000, 100_000, 2] }[plan.tier as string] ?? []
  return {
    ...plan,
    storageBytes: storageBytes ?? plan.storageBytes,
    customDomains: customDomains ?? plan.customDomains,
    meters: plan.meters.map((meter) =>
      meter.name === 'events' ? { ...meter, included: events ?? meter.included } : meter,
    ),
  }
})

const NOVEMBER = Date.UTC(2026, 10, 20, 8)

let s: Stage
let team: Staff
let number = 0
beforeAll(async () => {
  const env = { SVC_CLOUD: '1', SVC_ADMIN_EMAIL_DOMAINS: PLATFORM_DOMAIN }
  s = await stage({ env: { ...env, SVC_BILLING_PLANS: JSON.stringify(PLANS) } })
  team = staff(s)
})
beforeEach(async () => {
  s.ctx.clock.set(NOVEMBER)
  await s.ctx.write(async ({ db, tables }) => {
    await db.delete(tables.usageDays)
    await db.delete(tables.planChanges)
  })
})
afterAll(() => s.close())

const give = (tier: Tier) =>
  setPlan(
    s.ctx,
    { projectId: s.project.id, actor: { kind: 'CLI', id: null, email: null } },
    { tier, until: null, note: 'test' },
  )

describe('files', () => {
  const video = mp4(10, 10, 20_000)
  const upload = () => send(s, `/assets/video?name=v${++number}`, video)
  const usage = async () => (await dataOf(team.as('DEVELOPER').get('/assets?limit=1'))).usage

  test('have the room of the plan, and no file goes when the plan becomes smaller', async () => {
    expect((await upload()).status).toBe(201)
    await refused(s, upload, 402, 'ASSET_QUOTA_EXCEEDED')
    await give('INDIE')
    for (let count = 0; count < 3; count++) expect((await upload()).status).toBe(201)
    expect(await usage()).toMatchObject({ limitBytes: 100_000 })
    const { bytes } = await usage()
    await give('FREE')
    expect(await usage()).toMatchObject({ bytes, limitBytes: 30_000 })
    await refused(s, upload, 402, 'ASSET_QUOTA_EXCEEDED')
    await give('ENTERPRISE')
    expect(await usage()).toMatchObject({ limitBytes: null })
  })
})

test('a project has no more domains than its plan includes, and keeps those that it has', async () => {
  const add = () => team.as('DEVELOPER').post('/custom-domains', { hostname: `n${++number}.example.com` })
  await dataOf(add())
  await refused(s, add, 409, 'CUSTOM_DOMAIN_LIMIT_REACHED')
  await give('INDIE')
  await dataOf(add())
  await refused(s, add, 409, 'CUSTOM_DOMAIN_LIMIT_REACHED')
  await give('FREE')
  expect((await dataOf(team.as('DEVELOPER').get('/custom-domains'))).items).toHaveLength(2)
})

test('events are kept for as long as the plan keeps them, and not longer than the project wants', async () => {
  await s.receipt('svc_kept', s.buy(MONTHLY))
  const count = async () => (await s.ctx.db.select().from(s.ctx.tables.events)).length
  const sweptAfter = async (days: number) => {
    s.ctx.clock.set(NOVEMBER + days * DAY + 1)
    await sweepRetention(s.ctx)
    return count()
  }
  const feed = async () => (await s.get('/v1/events', undefined, { key: s.project.secretKey })).body.data.items.length
  const all = await count()
  expect(all).toBeGreaterThan(0)
  await give('STUDIO')
  await dataOf(team.as('ADMIN').patch('', { settings: { eventRetentionDays: 200 } }))
  expect([await sweptAfter(190), await feed()]).toEqual([all, all])
  await give('INDIE')
  expect(await feed()).toBe(0)
  expect(await sweptAfter(190)).toBe(0)
  const { settings } = await dataOf(team.as('ADMIN').get(''))
  expect(settings.eventRetentionDays).toBe(200)
})

describe('a locked project', () => {
  const use = (at: number) =>
    s.ctx.write(async ({ db, tables }) =>
      db.insert(tables.usageDays).values({
        ...{ projectId: s.project.id, meter: 'events', day: Math.floor(at / DAY), writer: ++number, used: 11 },
      }),
    )
  const lock = async () => {
    await use(Date.UTC(2026, 10, 20))
    await use(Date.UTC(2026, 11, 20))
    s.ctx.clock.set(Date.UTC(2027, 0, 1))
  }
  const asMember = (path: string) =>
    s.get(path, undefined, { key: null, headers: { cookie: 'svc_session=CUSTOMER_SUPPORT' } })
  const asServer = (path: string) => s.get(path, undefined, { key: s.project.secretKey })
  const codeOf = async (answer: ReturnType<typeof asMember>) => {
    const { status, body } = await answer
    return [status, body.error?.code]
  }
  const METRICS = ['summary', 'mrr', 'revenue', 'retention', 'ltv']

  test('does not open the metrics at the root, to a member or to a secret key', async () => {
    await lock()
    for (const name of METRICS) {
      const calls = [asMember(`/metrics/${name}?projectId=${s.project.id}`), asServer(`/metrics/${name}`)]
      for (const call of calls) expect([name, ...(await codeOf(call))]).toEqual([name, 403, 'USAGE_LIMIT_EXCEEDED'])
    }
  })

  test('says 404 there about a project of others, and 401 without a key, as ever', async () => {
    await lock()
    expect(await codeOf(asMember(`/metrics/mrr?projectId=${s.other.id}`))).toEqual([404, 'NOT_FOUND'])
    expect(await codeOf(asServer(`/metrics/mrr?projectId=${s.other.id}`))).toEqual([404, 'NOT_FOUND'])
    expect((await s.get('/metrics/mrr', undefined, { key: null })).body.error.code).toBe('BEARER_REQUIRED')
  })

  test('opens them again with a higher plan, and never closes those of others', async () => {
    await lock()
    const others = { key: s.other.secretKey }
    expect((await s.get('/metrics/mrr', undefined, others)).status).toBe(200)
    await give('INDIE')
    expect((await asServer('/metrics/mrr')).status).toBe(200)
    expect((await asMember(`/metrics/mrr?projectId=${s.project.id}`)).status).toBe(200)
  })
})

describe('the list of the platform administration', () => {
  let root: Person
  beforeAll(async () => {
    const now = s.ctx.clock.now()
    s = await stage({ env: { SVC_CLOUD: '1', SVC_ADMIN_EMAIL_DOMAINS: PLATFORM_DOMAIN } })
    s.ctx.clock.set(now)
    root = await arrive(s, 'root', { isAdmin: true })
    await join(s, 'ada', 'OWNER')
  })

  test('shows the plan and the monthly revenue of each project', async () => {
    await s.receipt('svc_paying', s.buy(MONTHLY))
    // The test store sells in the sandbox only.
    const { figureEntries } = s.ctx.tables
    await s.ctx.write(({ db }) => db.update(figureEntries).set({ environment: 'PRODUCTION' }))
    await give('STUDIO')
    const { items } = (await root.browser.get('/admin/projects')).body.data
    const of = (id: string) => items.find((one: { id: string }) => one.id === id)
    const { mrr } = (await root.browser.get(`/admin/projects/${s.project.id}`)).body.data
    expect(mrr).toBeGreaterThan(0)
    expect(of(s.project.id)).toMatchObject({ mrr, tier: 'STUDIO' })
    expect(of(s.other.id)).toMatchObject({ mrr: 0, tier: 'FREE' })
  })
})
