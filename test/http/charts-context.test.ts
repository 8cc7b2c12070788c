import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { rollUp } from '../../src/insight/figures/rolls/turn'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { erase } from '../support/erased'
import { refund, renew, rowOf } from '../support/facts'
import { clearPlacements, place } from '../support/placements'
import { configure, HALVES } from '../support/remote'
import { type StaffCalls, staff } from '../support/staff'

// What the app says was shown before a purchase, and the price of its charges, as groups of charts.

const NOW = Date.UTC(2026, 10, 20, 8)
const SHOWN = {
  placementId: 'onboarding',
  offeringIdentifier: 'standard',
  experimentKey: 'paywall',
  variantId: 'b',
}

const PLACEMENT = { id: 'plc_onboarding', identifier: 'onboarding', rows: [] }
const C = { id: 'c', name: 'Another', weight: 0, value: 3 }

let s: Stage
let member: StaffCalls
beforeEach(async () => {
  s = await stage({ now: NOW })
  await place(s, { placements: [PLACEMENT, { ...PLACEMENT, id: 'plc_settings', identifier: 'settings' }] })
  await configure(s, { experiments: [{ id: 'exp_paywall', key: 'paywall', variants: [...HALVES, C] }] })
  await configure(s, { experiments: [{ id: 'exp_other', key: 'theirs' }] }, s.other.id)
  await place(s, { placements: [{ ...PLACEMENT, id: 'plc_theirs', identifier: 'theirs' }] }, s.other.id)
  member = staff(s).as('CUSTOMER_SUPPORT')
})
afterEach(() => s.close())

async function send(payload: TransactionPayload, presentedContext?: object) {
  const body = { receipt: s.sign(payload), appUserId: 'svc_ada', productId: payload.productId }
  const { status } = await s.post('/v1/receipts/ios', { ...body, ...(presentedContext && { presentedContext }) })
  expect(status).toBe(200)
  await new Promise(setImmediate)
}

/** What happens at an instant is part of a window that ends a moment later. */
const soon = () => new Date(s.ctx.clock.now() + 1).toISOString()

/** The total of a value in each group that has one. */
async function groupsOf(id: string, groupBy: string, value = 'value', more = '') {
  const query = `grain=total&from=2026-11-01&to=${soon()}&environment=SANDBOX&groupBy=${groupBy}${more}`
  const { status, body } = await member.get(`/charts/${id}?${query}`)
  expect([id, groupBy, status]).toEqual([id, groupBy, 200])
  const { groups, totals } = body.data
  const all = groups.map(({ key, totals: own }: { key: string | null; totals: Record<string, number> }) => [
    key,
    own[value],
  ])
  expect(all.reduce((sum: number, [, one]: [string, number]) => sum + one, 0)).toBe(totals[value])
  return Object.fromEntries(all.filter(([, one]: [string, number]) => one !== 0))
}

describe('country and platform', () => {
  test('are known ones: another text stays an attribute, is no group, and is nowhere after an erasure', async () => {
    const TEXT = 'Ada Lovelace, 12 St James'
    const headers = { 'x-svc-app-user-id': 'svc_ada' }
    const attributes = { country: TEXT, platform: TEXT }
    expect((await s.post('/v1/me/attributes', { attributes }, { headers })).status).toBe(200)
    await send(s.buy(MONTHLY))
    const { attributes: kept, id } = await rowOf(s, 'svc_ada')
    expect([kept.country?.value, kept.platform?.value]).toEqual([TEXT, TEXT])
    await rollUp(s.ctx)
    expect(await groupsOf('gross-revenue', 'country')).toEqual({ null: 9_990_000 })
    expect(await groupsOf('gross-revenue', 'platform')).toEqual({ ios: 9_990_000 })
    await erase(s, id)
    await rollUp(s.ctx)
    const { figureEntries, figureGroups, figureAnswers } = s.ctx.tables
    const tables = [figureEntries, figureGroups, figureAnswers]
    for (const table of tables) expect(JSON.stringify(await s.ctx.db.select().from(table))).not.toContain('Lovelace')
    expect(await groupsOf('gross-revenue', 'country')).toEqual({ null: 9_990_000 })
  })

  test('are found in any spelling', async () => {
    const headers = { 'x-svc-app-user-id': 'svc_ada' }
    await s.post('/v1/me/attributes', { attributes: { country: 'tr', platform: 'Android' } }, { headers })
    await send(s.buy(MONTHLY))
    expect(await groupsOf('gross-revenue', 'country')).toEqual({ TR: 9_990_000 })
    expect(await groupsOf('gross-revenue', 'platform')).toEqual({ android: 9_990_000 })
  })
})

describe('what was shown before a purchase', () => {
  test('is its offering, its placement and its variant', async () => {
    await send(s.buy(MONTHLY), SHOWN)
    await send(s.buy(MONTHLY), { variantId: 'c' })
    await send(s.buy(MONTHLY))
    expect(await groupsOf('gross-revenue', 'offering')).toEqual({ standard: 9_990_000, null: 19_980_000 })
    expect(await groupsOf('gross-revenue', 'placement')).toEqual({ onboarding: 9_990_000, null: 19_980_000 })
    expect(await groupsOf('gross-revenue', 'variant')).toEqual({
      'paywall:b': 9_990_000,
      c: 9_990_000,
      null: 9_990_000,
    })
    expect(await groupsOf('active-subscriptions', 'placement')).toEqual({ onboarding: 1, null: 2 })
    const { body } = await member.get(
      '/charts/gross-revenue?grain=total&from=2026-11-01&to=2027-03-01&environment=SANDBOX&placement=onboarding,',
    )
    expect(body.data.totals.value).toBe(29_970_000)
  })

  test('also holds for its renewals and its refund', async () => {
    const bought = s.buy(MONTHLY)
    await send(bought, SHOWN)
    s.ctx.clock.advance(30 * DAY)
    const renewed = renew(s, bought, MONTHLY)
    await send(renewed, { placementId: 'settings' })
    s.ctx.clock.advance(DAY)
    await send(refund(s, renewed))
    expect(await groupsOf('refunds', 'placement')).toEqual({ onboarding: 9_990_000 })
    expect(await groupsOf('gross-revenue', 'placement')).toEqual({ onboarding: 19_980_000 })
    expect(await groupsOf('active-subscriptions', 'placement')).toEqual({})
  })

  test('moves what the store told before the app did, and once only', async () => {
    const bought = s.buy(MONTHLY)
    await send(bought)
    const before = new Date(s.ctx.clock.now()).toISOString()
    expect(await groupsOf('mrr', 'placement')).toEqual({ null: 9_990_000 })
    s.ctx.clock.advance(DAY)
    await send(bought, SHOWN)
    for (const id of ['mrr', 'gross-revenue'])
      expect([id, await groupsOf(id, 'placement')]).toEqual([id, { onboarding: 9_990_000 }])
    expect(await groupsOf('active-subscriptions', 'variant')).toEqual({ 'paywall:b': 1 })
    expect(await groupsOf('mrr', 'placement', 'value', `&knownAt=${before}`)).toEqual({ null: 9_990_000 })
    const { figureEntries } = s.ctx.tables
    const count = async () => (await s.ctx.db.select().from(figureEntries)).length
    const entries = await count()
    await send(bought, { placementId: 'settings' })
    await send(bought, SHOWN)
    expect(await count()).toBe(entries)
    s.ctx.clock.advance(29 * DAY)
    await send(renew(s, bought, MONTHLY))
    expect(await groupsOf('gross-revenue', 'placement')).toEqual({ onboarding: 19_980_000 })
    const query = 'start=2026-11-01&to=2027-03-01&environment=SANDBOX&grain=total&value=value&groupBy=placement&group='
    expect((await member.get(`/charts/gross-revenue/rows?${query}`)).body.data.items).toEqual([])
    expect((await member.get(`/charts/gross-revenue/rows?${query}onboarding`)).body.data.items).toHaveLength(2)
  })

  test('is named by the identifier, also where the app sent the id', async () => {
    const [offering] = (await s.ctx.state.projects.get(s.project.id)).catalog.offerings
    await send(s.buy(MONTHLY), {
      ...{ placementId: 'plc_onboarding', offeringIdentifier: offering?.id, experimentKey: 'exp_paywall' },
      variantId: 'b',
    })
    expect(await groupsOf('gross-revenue', 'placement')).toEqual({ onboarding: 9_990_000 })
    expect(await groupsOf('gross-revenue', 'offering')).toEqual({ standard: 9_990_000 })
    expect(await groupsOf('gross-revenue', 'variant')).toEqual({ 'paywall:b': 9_990_000 })
  })

  test('keeps its name after the project has deleted it', async () => {
    const bought = s.buy(MONTHLY)
    await send(bought, SHOWN)
    await clearPlacements(s)
    s.ctx.clock.advance(30 * DAY)
    await send(renew(s, bought, MONTHLY))
    expect(await groupsOf('gross-revenue', 'placement')).toEqual({ onboarding: 19_980_000 })
  })

  test.each<[string, object]>([
    ['a number', { placementId: 7 }],
    ['a list', { placementId: ['onboarding'] }],
    ['an empty text', { placementId: '' }],
    ['a text of 129 characters', { placementId: 'x'.repeat(129) }],
    ['null', { placementId: null }],
    ['an experiment without a variant', { experimentKey: 'paywall' }],
    ['something nested', { placementId: { placementId: 'onboarding' } }],
    ['a placement that the project does not have', { placementId: 'Ada Lovelace, 12 St James' }],
    ['a placement of another project', { placementId: 'theirs' }],
    ['an offering that the project does not have', { offeringIdentifier: 'spring' }],
    ['a variant that the experiment does not have', { experimentKey: 'paywall', variantId: 'd' }],
    ['a variant of an experiment that the project does not have', { experimentKey: 'theirs', variantId: 'a' }],
    ['a variant that no experiment has', { variantId: 'ada@example.com' }],
  ])('names no group where it is %s', async (_, context) => {
    await send(s.buy(MONTHLY), context)
    for (const groupBy of ['placement', 'offering', 'variant'])
      expect(await groupsOf('gross-revenue', groupBy)).toEqual({ null: 9_990_000 })
  })
})

describe('the price', () => {
  test('is that of the charge, also of what gives it back', async () => {
    const bought = s.buy(MONTHLY)
    await send(bought)
    await send(s.buy({ ...MONTHLY, price: 4500 }))
    await send(s.buy({ ...MONTHLY, price: 12_000 }))
    s.ctx.clock.advance(DAY)
    await send(refund(s, bought))
    expect(await groupsOf('gross-revenue', 'price')).toEqual({
      '9.99 USD': 9_990_000,
      '4.50 USD': 4_500_000,
      '12.00 USD': 12_000_000,
    })
    expect(await groupsOf('refunds', 'price')).toEqual({ '9.99 USD': 9_990_000 })
    expect(await groupsOf('active-subscriptions', 'price')).toEqual({ '4.50 USD': 1, '12.00 USD': 1 })
  })

  test('is left by a subscription that is renewed at another one', async () => {
    const bought = s.buy(MONTHLY)
    await send(bought)
    s.ctx.clock.advance(30 * DAY)
    await send(renew(s, bought, { ...MONTHLY, price: 12_990 }))
    expect(await groupsOf('mrr', 'price')).toEqual({ '12.99 USD': 12_990_000 })
    expect(await groupsOf('active-subscriptions', 'price')).toEqual({ '12.99 USD': 1 })
    expect(await groupsOf('mrr-expansion', 'price')).toEqual({ '9.99 USD': -9_990_000, '12.99 USD': 12_990_000 })
    expect(await groupsOf('churned-subscriptions', 'price')).toEqual({})
  })

  test('is none while a subscription is on trial', async () => {
    const bought = s.buy(MONTHLY, { withTrial: true })
    await send(bought)
    expect(await groupsOf('active-trials', 'price')).toEqual({ null: 1 })
    s.ctx.clock.advance(8 * DAY)
    await send(renew(s, bought, MONTHLY))
    expect(await groupsOf('active-trials', 'price')).toEqual({})
    expect(await groupsOf('active-subscriptions', 'price')).toEqual({ '9.99 USD': 1 })
  })
})
