import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type AndroidStage, androidStage } from '../support/android'
import type { Answer } from '../support/cast'
import { type Staff, staff } from '../support/staff'

let s: AndroidStage
let team: Staff
beforeEach(async () => {
  s = await androidStage()
  team = staff(s)
})
afterEach(() => s.close())

const PATH = '/apps/android/catalog'
const list = (query = '') => team.as('DEVELOPER').get(PATH + query)
const listing = (title: string, languageCode = 'en-US') => ({ languageCode, title })

async function refused(work = () => list()) {
  const { status, body } = await work()
  return [status, body.error.code]
}

describe('the catalogue of Google Play', () => {
  test('is empty for an app without products', async () => {
    expect((await list()).body).toEqual({ data: { items: [], nextCursor: null } })
  })

  test('has subscriptions with their base plans and offers, and one-time products', async () => {
    s.server.catalog = {
      pageSize: 50,
      subscriptions: [
        {
          productId: 'pro',
          listings: [listing('Pro für alle', 'de-DE'), listing('Pro')],
          basePlans: [
            { basePlanId: 'monthly', state: 'ACTIVE', autoRenewingBasePlanType: { billingPeriodDuration: 'P1M' } },
            { basePlanId: 'prepaid', state: 'INACTIVE', prepaidBasePlanType: { billingPeriodDuration: 'P3M' } },
            { basePlanId: 'yearly', state: 'DRAFT', installmentsBasePlanType: { billingPeriodDuration: 'P1Y' } },
          ],
        },
        { productId: 'new', listings: [listing('Neu', 'de-DE')] },
      ],
      offers: [
        { productId: 'pro', basePlanId: 'monthly', offerId: 'trial', state: 'ACTIVE' },
        { productId: 'pro', basePlanId: 'monthly', offerId: 'half', state: 'DRAFT' },
        { productId: 'other', basePlanId: 'monthly', offerId: 'foreign', state: 'ACTIVE' },
      ],
      oneTimeProducts: [
        {
          productId: 'coins.100',
          purchaseOptions: [{ purchaseOptionId: 'buy', state: 'INACTIVE' }, { purchaseOptionId: 'rent' }],
        },
      ],
    }
    expect((await list()).body.data.items).toEqual([
      {
        storeId: 'coins.100',
        name: 'coins.100',
        type: 'ONE_TIME',
        status: 'INACTIVE',
        period: null,
        basePlans: [
          { id: 'buy', period: null, status: 'INACTIVE', offers: [] },
          { id: 'rent', period: null, status: 'STATE_UNSPECIFIED', offers: [] },
        ],
      },
      { storeId: 'new', name: 'Neu', type: 'SUBSCRIPTION', status: 'DRAFT', period: null, basePlans: [] },
      {
        storeId: 'pro',
        name: 'Pro',
        type: 'SUBSCRIPTION',
        status: 'ACTIVE',
        period: null,
        basePlans: [
          {
            id: 'monthly',
            period: 'P1M',
            status: 'ACTIVE',
            offers: [
              { id: 'trial', status: 'ACTIVE' },
              { id: 'half', status: 'DRAFT' },
            ],
          },
          { id: 'prepaid', period: 'P3M', status: 'INACTIVE', offers: [] },
          { id: 'yearly', period: 'P1Y', status: 'DRAFT', offers: [] },
        ],
      },
    ])
  })

  test('is read to its end, whatever the size of the pages on either side', async () => {
    const ids = Array.from({ length: 9 }, (_, index) => `p${index}`)
    s.server.catalog = {
      pageSize: 2,
      subscriptions: ids.slice(0, 5).map((productId) => ({ productId, basePlans: [{ basePlanId: 'monthly' }] })),
      offers: ids.slice(0, 5).map((productId) => ({ productId, basePlanId: 'monthly', offerId: `of-${productId}` })),
      oneTimeProducts: ids.slice(5).map((productId) => ({ productId })),
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { data }: Answer['body'] = (await list(`?limit=4${cursor === null ? '' : `&cursor=${cursor}`}`)).body
      seen.push(...data.items.map(({ storeId }: { storeId: string }) => storeId))
      for (const { storeId, basePlans } of data.items)
        if (basePlans.length > 0) expect(basePlans[0].offers[0].id).toBe(`of-${storeId}`)
      cursor = data.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(ids)
  })
})

describe('importing', () => {
  const importing = async (storeIds: string[]) =>
    (await team.as('DEVELOPER').post('/products/import', { store: 'android', storeIds })).body.data

  test('makes a product for each base plan with its period, and one for a one-time product', async () => {
    s.server.catalog = {
      pageSize: 50,
      subscriptions: [
        {
          productId: 'coach',
          basePlans: [
            { basePlanId: 'monthly', state: 'ACTIVE', autoRenewingBasePlanType: { billingPeriodDuration: 'P1M' } },
            { basePlanId: 'open', state: 'ACTIVE' },
          ],
        },
      ],
      offers: [],
      oneTimeProducts: [
        {
          productId: 'coins.500',
          purchaseOptions: [{ purchaseOptionId: 'buy' }, { purchaseOptionId: 'rent' }],
        },
      ],
    }
    const { created } = await importing(['coach', 'coins.500'])
    expect(
      created.map((one: Record<string, unknown>) => [one.identifier, one.androidBasePlanId, one.period, one.type]),
    ).toEqual([
      ['coach.monthly', 'monthly', 'P1M', 'SUBSCRIPTION'],
      ['coach.open', 'open', null, 'SUBSCRIPTION'],
      ['coins.500', null, null, 'NON_CONSUMABLE'],
    ])
    expect((await importing(['coins.500'])).skipped).toEqual([{ storeId: 'coins.500', reason: 'EXISTS' }])
  })
})

describe('it is refused', () => {
  test('without credentials', async () => {
    const { storeSettings: t } = s.ctx.tables
    await s.ctx.write(async (tx) => void (await tx.db.delete(t).where(eq(t.projectId, s.project.id))))
    s.ctx.state.projects.forget(s.project.id)
    expect(await refused()).toEqual([400, 'STORE_NOT_CONFIGURED'])
    expect(s.calls()).toBe(0)
  })

  test('to roles below DEVELOPER and to strangers', async () => {
    expect(await refused(() => team.as('GROWTH').get(PATH))).toEqual([403, 'ROLE_REQUIRED'])
    expect(await refused(() => team.as('STRANGER').get(PATH))).toEqual([404, 'NOT_FOUND'])
    expect(s.calls()).toBe(0)
  })

  test.each([
    [{ status: 500 }, 503, 'STORE_UNAVAILABLE'],
    [{ status: 429 }, 503, 'STORE_UNAVAILABLE'],
    [{ status: 403, reason: 'permissionDenied' }, 502, 'STORE_API_ERROR'],
    [{ status: 404 }, 502, 'STORE_API_ERROR'],
    [{ isMalformed: true }, 502, 'STORE_API_ERROR'],
    [
      { reply: (path: string) => (path.includes('subscriptions') ? '{"subscriptions":[{}]}' : null) },
      502,
      'STORE_API_ERROR',
    ],
    [{ reply: (path: string) => (path.includes('oneTime') ? '{"oneTimeProducts":7}' : null) }, 502, 'STORE_API_ERROR'],
    [{ reply: (path: string) => (path.includes('oneTime') ? '{"nextPageToken":"1"}' : null) }, 502, 'STORE_API_ERROR'],
  ])('when Google answers %j', async (faults, status, code) => {
    s.server.faults = faults
    expect(await refused()).toEqual([status, code])
    expect(s.calls()).toBeLessThan(30)
  })

  test('with a damaged cursor', async () => {
    expect(await refused(() => list('?cursor=abc'))).toEqual([400, 'VALIDATION_ERROR'])
  })
})
