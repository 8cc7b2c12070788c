import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { arrive, auditOf, join, type Person, PLATFORM_DOMAIN } from '../support/crew'
import { iso } from '../support/telemetry'

let s: Stage
let root: Person
let ada: Person
beforeAll(async () => {
  s = await stage({ env: { SVC_ADMIN_EMAIL_DOMAINS: PLATFORM_DOMAIN, SVC_CLOUD: '1' } })
  root = await arrive(s, 'root', { isAdmin: true })
  ada = await join(s, 'ada', 'OWNER')
})
afterAll(() => s.close())

const path = () => `/admin/projects/${s.project.id}/plan`
const billing = async () => (await ada.browser.get(`/dashboard/projects/${s.project.id}/billing`)).body.data

test.each([
  ['an unknown plan', { tier: 'GOLD', note: 'x' }],
  ['no note', { tier: 'INDIE' }],
  ['an empty note', { tier: 'INDIE', note: ' ' }],
  ['an end that is no time', { tier: 'INDIE', note: 'x', until: 'soon' }],
  ['an end that is over', { tier: 'INDIE', note: 'x', until: '2026-01-01T00:00:00Z' }],
  ['another member', { tier: 'INDIE', note: 'x', price: 1 }],
])('%s is 400 and changes nothing', async (_, body) => {
  const answer = await root.browser.put(path(), body)
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect(await billing()).toMatchObject({ tier: 'FREE' })
})

test('a project that does not exist is 404', async () => {
  const answer = await root.browser.put('/admin/projects/prj_none/plan', { tier: 'INDIE', note: 'x' })
  expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
})

/** What a project shows that pays nothing. */
const UNPAID = { cardNeededBy: null, pausedAt: null, pendingTier: null, publishableKey: null }

test('a plan by hand holds until its end, and has a row in the audit log', async () => {
  const until = iso(s.ctx.clock.now() + DAY)
  const answer = await root.browser.put(path(), { tier: 'ENTERPRISE', note: 'Contract 7', until })
  expect([answer.status, answer.body.data]).toEqual([200, { tier: 'ENTERPRISE', note: 'Contract 7', until }])
  expect(await billing()).toEqual({
    ...UNPAID,
    tier: 'ENTERPRISE',
    state: 'ACTIVE',
    renewsAt: null,
    cancelAt: null,
    locked: false,
  })
  const row = (await auditOf(s)).at(-1)
  expect(row).toMatchObject({ action: 'project.plan', before: { tier: 'FREE' }, after: { tier: 'ENTERPRISE', until } })
  s.ctx.clock.advance(DAY)
  expect(await billing()).toMatchObject({ tier: 'FREE' })
})

test('the plans are shown to everybody who is signed in', async () => {
  const { items } = (await ada.browser.get('/dashboard/billing/plans')).body.data
  expect(items.map(({ tier }: { tier: string }) => tier)).toEqual(['FREE', 'INDIE', 'STUDIO', 'ENTERPRISE'])
})
