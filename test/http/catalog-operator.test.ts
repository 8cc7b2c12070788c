import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import { type Answer, COINS, type Stage, stage } from '../support/cast'
import { auditRows, changes, dataOf, ifMatch, refused } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

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

/** What is read of an object; only the answer of an edit has `waitingPurchases`. */
const read = ({ waitingPurchases: _, ...object }: Record<string, unknown>) => object

interface Kind {
  path: string
  action: string
  /** A body that can be created as often as wanted. */
  body(): Record<string, unknown>
  change: Record<string, unknown>
  identifier: 'identifier' | 'code'
  resource: string
}

const KINDS: Record<string, Kind> = {
  access: {
    path: '/access',
    action: 'access',
    body: () => ({ identifier: fresh('acc'), displayName: 'Level' }),
    change: { displayName: 'Other', description: 'Why', metadata: { a: [1] } },
    identifier: 'identifier',
    resource: 'access',
  },
  products: {
    path: '/products',
    action: 'product',
    body: () => ({ identifier: fresh('prd'), type: 'SUBSCRIPTION', displayName: 'Monthly' }),
    change: { displayName: 'Other', period: 'P1M', isActive: false, androidBasePlanId: 'b' },
    identifier: 'identifier',
    resource: 'product',
  },
  offerings: {
    path: '/offerings',
    action: 'offering',
    body: () => ({ identifier: fresh('off') }),
    change: { metadata: { headline: 'Hi' } },
    identifier: 'identifier',
    resource: 'offering',
  },
  currencies: {
    path: '/virtual-currencies',
    action: 'virtualCurrency',
    body: () => ({ code: fresh('vcy'), name: 'Stars' }),
    change: { name: 'Suns', clawback: 'full' },
    identifier: 'code',
    resource: 'virtualCurrency',
  },
}
const each = Object.entries(KINDS)

const create = (kind: Kind, more = {}): Promise<Answer> => dev.post(kind.path, { ...kind.body(), ...more })
const made = async (kind: Kind, more = {}) => dataOf(create(kind, more))
const listed = async (path: string) => (await dataOf(support.get(`${path}?limit=200`))).items

describe.each(each)('%s', (_name, kind) => {
  const { path, action, identifier, resource } = kind

  test('are created, listed, changed and deleted, each with one audit row that names who did it', async () => {
    const body = kind.body()
    const created = await changes(s, () => dev.post(path, body), [`${action}.create`], 201)
    expect(created).toMatchObject({ ...body, revision: 1 })
    expect(await listed(path)).toContainEqual(read(created))
    s.ctx.clock.advance(1000)
    const changed = await changes(s, () => dev.patch(`${path}/${created.id}`, kind.change), [`${action}.update`])
    expect(changed).toMatchObject({ ...body, ...kind.change, revision: 2 })
    expect(Date.parse(changed.updatedAt) - Date.parse(changed.createdAt)).toBe(1000)
    expect(await listed(path)).toContainEqual(read(changed))
    const isArchive = action === 'virtualCurrency'
    const end = isArchive ? 'archive' : 'delete'
    expect(await changes(s, () => dev.delete(`${path}/${created.id}`), [`${action}.${end}`])).toEqual({ deleted: true })
    await refused(s, () => dev.delete(`${path}/${created.id}`), 404, 'NOT_FOUND')
    await refused(s, () => dev.patch(`${path}/${created.id}`, kind.change), 404, 'NOT_FOUND')
    const ids = (await listed(path)).map(({ id }: { id: string }) => id)
    expect(ids.includes(created.id)).toBe(isArchive)
    const [row] = (await auditRows(s)).slice(-1)
    expect(row).toMatchObject({
      actor: { kind: 'USER', email: 'usr_developer@example.com' },
      target: { id: created.id },
    })
  })

  test('a change to the same content writes nothing', async () => {
    const created = await made(kind)
    await dataOf(dev.patch(`${path}/${created.id}`, kind.change))
    expect(await changes(s, () => dev.patch(`${path}/${created.id}`, kind.change), [])).toMatchObject({ revision: 2 })
    expect(await changes(s, () => dev.patch(`${path}/${created.id}`, {}), [])).toMatchObject({ revision: 2 })
  })

  test('an identifier that is taken, malformed or missing is refused', async () => {
    const [first, second] = [await made(kind), await made(kind)]
    const taken = { resource, identifier: first[identifier] }
    const again = { ...kind.body(), [identifier]: first[identifier] }
    expect(await refused(s, () => dev.post(path, again), 409, 'IDENTIFIER_TAKEN')).toEqual(taken)
    const rename = { [identifier]: first[identifier] }
    const url = `${path}/${second.id}`
    expect(await refused(s, () => dev.patch(url, rename), 409, 'IDENTIFIER_TAKEN')).toEqual(taken)
    for (const wrong of ['', 'a b', 'x'.repeat(65), '__proto__', 'ä', 5, null]) {
      await refused(s, () => create(kind, { [identifier]: wrong }), 400, 'VALIDATION_ERROR')
      await refused(s, () => dev.patch(url, { [identifier]: wrong }), 400, 'VALIDATION_ERROR')
    }
    await refused(s, () => create(kind, { [identifier]: undefined }), 400, 'VALIDATION_ERROR')
    await refused(s, () => create(kind, { more: 1 }), 400, 'VALIDATION_ERROR')
    await refused(s, () => dev.patch(url, { more: 1 }), 400, 'VALIDATION_ERROR')
  })

  test('another revision is refused, and of two changes at once exactly one wins', async () => {
    const created = await made(kind)
    const url = `${path}/${created.id}`
    const details = await refused(s, () => dev.patch(url, kind.change, ifMatch(2)), 409, 'CONFLICT')
    expect(details).toMatchObject({ revision: 1, updatedBy: 'usr_developer@example.com' })
    await refused(s, () => dev.delete(url, ifMatch(7)), 409, 'CONFLICT')
    await refused(s, () => dev.delete(url, { headers: { 'if-match': '1' } }), 400, 'VALIDATION_ERROR')
    const names = { [identifier]: fresh(), [identifier === 'code' ? 'name' : 'metadata']: undefined }
    const both = await Promise.all([
      dev.patch(url, kind.change, ifMatch(1)),
      dev.patch(url, { [identifier]: names[identifier] }, ifMatch(1)),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await listed(path)).find(({ id }: { id: string }) => id === created.id).revision).toBe(2)
    expect((await dev.delete(url, ifMatch(2))).status).toBe(200)
  })

  test('of two that are created at once under one identifier exactly one is', async () => {
    const body = kind.body()
    const both = await Promise.all([dev.post(path, body), dev.post(path, body)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    const named = (await listed(path)).filter((row: Record<string, unknown>) => row[identifier] === body[identifier])
    expect(named).toHaveLength(1)
  })

  test('a repeated request with the same Idempotency-Key creates nothing more', async () => {
    const body = kind.body()
    const options = { headers: { 'idempotency-key': fresh('key') } }
    const first = await changes(s, () => dev.post(path, body, options), [`${action}.create`], 201)
    expect(await changes(s, () => dev.post(path, body, options), [], 201)).toEqual(first)
    await refused(s, () => dev.post(path, kind.body(), options), 422, 'HTTP_ERROR')
  })

  test('an object of another project is not found, and nothing of it is listed', async () => {
    const team = staff(s)
    team.sessions.roles.set(`usr_developer ${s.other.id}`, 'DEVELOPER')
    const foreign = await dataOf(team.as('DEVELOPER').post(path, kind.body(), { projectId: s.other.id }))
    const call = team.as('DEVELOPER')
    await refused(s, () => call.patch(`${path}/${foreign.id}`, kind.change), 404, 'NOT_FOUND')
    await refused(s, () => call.delete(`${path}/${foreign.id}`), 404, 'NOT_FOUND')
    if (resource !== 'virtualCurrency') await refused(s, () => call.get(`${path}/${foreign.id}`), 404, 'NOT_FOUND')
    await refused(s, () => call.patch(`${path}/damaged`, kind.change), 404, 'NOT_FOUND')
    expect((await listed(path)).map(({ id }: { id: string }) => id)).not.toContain(foreign.id)
  })

  test('only who may write them writes them', async () => {
    const { id } = await made(kind)
    for (const role of ['CUSTOMER_SUPPORT', 'GROWTH'] as const) {
      const call = staff(s).as(role)
      await refused(s, () => call.post(path, kind.body()), 403, 'CAPABILITY_REQUIRED')
      await refused(s, () => call.patch(`${path}/${id}`, kind.change), 403, 'CAPABILITY_REQUIRED')
      await refused(s, () => call.delete(`${path}/${id}`), 403, 'CAPABILITY_REQUIRED')
    }
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
      expect(page.items.length).toBeLessThanOrEqual(2)
      seen.push(...page.items)
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(all)
    const { nextCursor } = await dataOf(support.get(`${path}?limit=1`))
    const elsewhere = path === '/access' ? '/products' : '/access'
    for (const url of [
      `${elsewhere}?cursor=${nextCursor}`,
      `${path}?cursor=abc`,
      `${path}?limit=0`,
      `${path}?limit=201`,
    ])
      await refused(s, () => support.get(url), 400, 'VALIDATION_ERROR')
    await refused(s, () => support.get(`${path}?page=2`), 400, 'VALIDATION_ERROR')
  })
})

describe('access levels', () => {
  test('count the products that give them and are not deleted while one does', async () => {
    const access = await made(KINDS.access as Kind)
    const product = await dataOf(dev.post('/products', { ...KINDS.products?.body(), accessIds: [access.id] }))
    expect((await dataOf(support.get(`/access/${access.id}`))).productCount).toBe(1)
    await refused(s, () => dev.delete(`/access/${access.id}`), 409, 'CONFLICT')
    await dataOf(dev.delete(`/products/${product.id}`))
    expect((await dataOf(support.get(`/access/${access.id}`))).productCount).toBe(0)
    await dataOf(dev.delete(`/access/${access.id}`))
  })

  test('are deleted too in a deployment without a master key', async () => {
    const own = await stage({ env: { SVC_MASTER_KEY: 'off' } })
    const call = staff(own).as('DEVELOPER')
    const { id } = await dataOf(call.post('/access', { identifier: 'spare', displayName: 'Spare' }))
    await changes(own, () => call.delete(`/access/${id}`), ['access.delete'])
    await own.close()
  })

  test('have members with limits', async () => {
    const body = KINDS.access?.body() ?? {}
    for (const wrong of [
      { displayName: '' },
      { displayName: ' ' },
      { displayName: 'x'.repeat(256) },
      { description: 'x'.repeat(1001) },
      { metadata: [] },
      { metadata: { a: 'x'.repeat(16_384) } },
      { metadata: { a: 2 ** 53 } },
      { metadata: null },
    ])
      await refused(s, () => dev.post('/access', { ...body, ...wrong }), 400, 'VALIDATION_ERROR')
    for (const raw of [
      '{"identifier":"q","displayName":"Q","metadata":{"a":1e400}}',
      '{"identifier":"q","displayName":"Q","metadata":{"__proto__":1}}',
      '[]',
      '{',
    ])
      expect((await rawPost('/access', raw)).status).toBe(400)
  })
})

const rawPost = (path: string, raw: string, method = 'POST') =>
  s.call(method, `/dashboard/projects/${s.project.id}${path}`, {
    key: null,
    raw,
    headers: { cookie: 'svc_session=DEVELOPER', origin: 'http://localhost' },
  })

describe('products', () => {
  const body = (more = {}) => ({ ...KINDS.products?.body(), ...more })

  test('have all members, and storeIds are merged', async () => {
    const access = await made(KINDS.access as Kind)
    const ios = fresh('com.x.y')
    const input = body({
      storeIds: { ios, android: null },
      androidOfferId: 'o',
      period: 'P1Y',
      accessIds: [access.id, access.id],
      metadata: { z: 1 },
      isActive: false,
    })
    const created = await dataOf(dev.post('/products', input))
    expect(created).toMatchObject({
      ...input,
      storeIds: { ios, android: null, payment: null },
      accessIds: [access.id],
      androidBasePlanId: null,
      grants: [],
    })
    const android = fresh('android')
    const changed = await dataOf(dev.patch(`/products/${created.id}`, { storeIds: { android } }))
    expect(changed.storeIds).toEqual({ ios, android, payment: null })
    const cleared = await dataOf(dev.patch(`/products/${created.id}`, { storeIds: { ios: null }, period: null }))
    expect(cleared).toMatchObject({ storeIds: { ios: null, android, payment: null }, period: null })
    expect(await dataOf(support.get(`/products/${created.id}`))).toEqual(read(cleared))
  })

  test('a store id belongs to one product, an Android id to one for each base plan', async () => {
    for (const store of ['ios', 'android', 'payment']) {
      const storeId = fresh('store')
      const holder = await dataOf(dev.post('/products', body({ storeIds: { [store]: storeId }, period: 'P1M' })))
      const second = body({ storeIds: { [store]: storeId }, period: 'P1M' })
      const taken = { store, storeId, product: { id: holder.id, identifier: holder.identifier } }
      expect(await refused(s, () => dev.post('/products', second), 409, 'STORE_ID_TAKEN')).toEqual(taken)
      const other = await dataOf(dev.post('/products', body({ period: 'P1M' })))
      const change = { storeIds: { [store]: storeId } }
      expect(await refused(s, () => dev.patch(`/products/${other.id}`, change), 409, 'STORE_ID_TAKEN')).toEqual(taken)
      if (store !== 'android') continue
      await dataOf(dev.patch(`/products/${other.id}`, { ...change, androidBasePlanId: 'yearly' }))
      await refused(s, () => dev.patch(`/products/${other.id}`, { androidBasePlanId: null }), 409, 'STORE_ID_TAKEN')
    }
  })

  test('what they name must be there', async () => {
    const ids = ['acc_nothing', 'acc_2pro00000000000000000000000']
    const details = await refused(s, () => dev.post('/products', body({ accessIds: ids })), 400, 'UNKNOWN_REFERENCES')
    expect(details).toEqual({ resource: 'access', ids })
  })

  test('wrong members are refused', async () => {
    for (const wrong of [
      { type: 'RENTAL' },
      { type: undefined },
      { period: '1 month' },
      { period: 'P' },
      { storeIds: { ios: '' } },
      { storeIds: { web: 'x' } },
      { storeIds: { ios: 'x'.repeat(256) } },
      { accessIds: 'pro' },
      { isActive: 'yes' },
      { displayName: '\t' },
    ])
      await refused(s, () => dev.post('/products', body(wrong)), 400, 'VALIDATION_ERROR')
  })

  test('a subscription of the App Store has a period; one that has none since before may be edited', async () => {
    const storeIds = { ios: fresh('com.x.pass') }
    await refused(s, () => dev.post('/products', body({ storeIds })), 400, 'VALIDATION_ERROR')
    await dataOf(dev.post('/products', body({ storeIds: { payment: fresh('price') } })))
    const { id } = await dataOf(dev.post('/products', body({ storeIds, period: 'P1M' })))
    await refused(s, () => dev.patch(`/products/${id}`, { period: null }), 400, 'VALIDATION_ERROR')
    const { products: p } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(p).set({ period: null }).where(eq(p.id, id)))
    expect(await dataOf(dev.patch(`/products/${id}`, { displayName: 'Pass' }))).toMatchObject({ displayName: 'Pass' })
    await dataOf(dev.patch(`/products/${id}`, { type: 'NON_CONSUMABLE' }))
    await refused(s, () => dev.patch(`/products/${id}`, { type: 'SUBSCRIPTION' }), 400, 'VALIDATION_ERROR')
  })

  test('one with purchases or in an offering is not deleted', async () => {
    const coins = (await listed('/products')).find((row: { identifier: string }) => row.identifier === 'coins_100')
    expect((await s.receipt('svc_buyer', s.buy(COINS))).status).toBe(200)
    await refused(s, () => dev.delete(`/products/${coins.id}`), 409, 'CONFLICT')
    expect(await dataOf(dev.patch(`/products/${coins.id}`, { isActive: false }))).toMatchObject({ isActive: false })
    const product = await made(KINDS.products as Kind)
    const offering = await made(KINDS.offerings as Kind, { packages: [{ identifier: 'm', productId: product.id }] })
    await refused(s, () => dev.delete(`/products/${product.id}`), 409, 'CONFLICT')
    await dataOf(dev.delete(`/offerings/${offering.id}`))
    await dataOf(dev.delete(`/products/${product.id}`))
  })

  test('a new payment price is checked at the provider before anything is written', async () => {
    const asked: unknown[] = []
    const { AppError } = await import('../../src/base/errors')
    const own = await stage({
      slices: [
        ...(await import('../../src/slices')).SLICES,
        {
          name: 'price-check',
          checkPaymentPrice: async (_ctx, projectId, priceId) => {
            asked.push([projectId, priceId])
            if (priceId === 'price_gone') throw new AppError('PAYMENT_PRICE_NOT_FOUND')
          },
        },
      ],
    })
    const call = staff(own).as('DEVELOPER')
    const price = (payment: string) => body({ storeIds: { payment } })
    await refused(own, () => call.post('/products', price('price_gone')), 400, 'PAYMENT_PRICE_NOT_FOUND')
    const { id } = await dataOf(call.post('/products', price('price_1')))
    const change = { storeIds: { payment: 'price_gone' } }
    await refused(own, () => call.patch(`/products/${id}`, change), 400, 'PAYMENT_PRICE_NOT_FOUND')
    expect(asked).toHaveLength(3)
    await dataOf(call.patch(`/products/${id}`, { displayName: 'Same price', storeIds: { payment: 'price_1' } }))
    expect(asked).toHaveLength(3)
    await own.close()
  })
})

describe('currency grants', () => {
  test('are replaced as one, with 64-bit amounts', async () => {
    const product = await made(KINDS.products as Kind)
    const [a, b] = [await made(KINDS.currencies as Kind), await made(KINDS.currencies as Kind)]
    const url = `/products/${product.id}/currency-grants`
    const raw = `{"grants":[{"currencyId":"${a.id}","amount":9223372036854775807,"grantOn":"PURCHASE"},{"currencyId":"${b.id}","amount":1e3,"grantOn":"BOTH"}]}`
    const before = (await auditRows(s)).length
    const answer = await s.app.handle(
      new Request(`http://localhost/dashboard/projects/${s.project.id}${url}`, {
        method: 'PUT',
        body: raw,
        headers: {
          cookie: 'svc_session=DEVELOPER',
          origin: 'http://localhost',
          'content-type': 'application/json',
          'if-match': '"1"',
        },
      }),
    )
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('"amount":9223372036854775807,"grantOn":"PURCHASE"')
    const rows = (await auditRows(s)).slice(before)
    expect(rows.map(({ action }) => action)).toEqual(['product.update'])
    expect((await dataOf(support.get(`/products/${product.id}`))).revision).toBe(2)
    expect((await rawPost(url, raw, 'PUT')).status).toBe(200)
    expect(await auditRows(s)).toHaveLength(before + 1)
    await refused(s, () => dev.put(url, { grants: [] }, ifMatch(1)), 409, 'CONFLICT')
    await refused(s, () => dev.delete(`/virtual-currencies/${a.id}`), 409, 'CONFLICT')
    await changes(s, () => dev.put(url, { grants: [] }), ['product.update'])
    await dataOf(dev.delete(`/virtual-currencies/${a.id}`))
    const archived = [{ currencyId: a.id, amount: 1, grantOn: 'PURCHASE' }]
    const details = await refused(s, () => dev.put(url, { grants: archived }), 400, 'UNKNOWN_REFERENCES')
    expect(details).toEqual({ resource: 'virtualCurrency', ids: [a.id] })
  })

  test('must be possible', async () => {
    const product = await made(KINDS.products as Kind)
    const coins = await made(KINDS.products as Kind, { type: 'CONSUMABLE' })
    const { id: currencyId } = await made(KINDS.currencies as Kind)
    const put = (id: string, grants: unknown[]) => dev.put(`/products/${id}/currency-grants`, { grants })
    const grant = (grantOn: string, amount: unknown = 5) => ({ currencyId, amount, grantOn })
    for (const trigger of ['RENEWAL', 'BOTH'])
      expect(await refused(s, () => put(coins.id, [grant(trigger)]), 400, 'CURRENCY_GRANT_INVALID')).toEqual({
        reason: 'renewal_needs_subscription',
      })
    for (const second of ['PURCHASE', 'BOTH'])
      expect(
        await refused(s, () => put(product.id, [grant('PURCHASE'), grant(second)]), 400, 'CURRENCY_GRANT_INVALID'),
      ).toEqual({ reason: 'granted_twice', currency: currencyId })
    for (const amount of [0, -1, 1.5, '5', null, 2 ** 63])
      await refused(s, () => put(product.id, [grant('PURCHASE', amount)]), 400, 'VALIDATION_ERROR')
    await refused(s, () => put(product.id, [grant('ALWAYS')]), 400, 'VALIDATION_ERROR')
    await refused(s, () => put('prd_nothing', []), 404, 'NOT_FOUND')
    await dataOf(put(product.id, [grant('RENEWAL')]))
    const toOneTime = { type: 'NON_CONSUMABLE' }
    await refused(s, () => dev.patch(`/products/${product.id}`, toOneTime), 400, 'CURRENCY_GRANT_INVALID')
  })

  test('are at most twenty for a product', async () => {
    const product = await made(KINDS.products as Kind)
    const grants: unknown[] = []
    for (let more = 0; more < 21; more++)
      grants.push({ currencyId: (await made(KINDS.currencies as Kind)).id, amount: 1, grantOn: 'PURCHASE' })
    const put = (rows: unknown[]) => dev.put(`/products/${product.id}/currency-grants`, { grants: rows })
    await refused(s, () => put(grants), 409, 'CONFLICT')
    expect((await dataOf(put(grants.slice(1)))).grants).toHaveLength(20)
  })
})

describe('offerings', () => {
  const offering = KINDS.offerings as Kind
  const defaults = async () => (await listed('/offerings')).filter((row: { isDefault: boolean }) => row.isDefault)

  test('exactly one is the default: the mark moves, and both offerings change', async () => {
    const [former] = await defaults()
    const marked = await changes(
      s,
      () => dev.post('/offerings', { ...offering.body(), isDefault: true }),
      ['offering.create', 'offering.update'],
      201,
    )
    expect(await dataOf(support.get(`/offerings/${former.id}`))).toMatchObject({
      isDefault: false,
      revision: former.revision + 1,
    })
    await changes(s, () => dev.patch(`/offerings/${former.id}`, { isDefault: true }), [
      'offering.update',
      'offering.update',
    ])
    expect(await defaults()).toMatchObject([{ id: former.id, revision: former.revision + 2 }])
    expect(await dataOf(support.get(`/offerings/${marked.id}`))).toMatchObject({ isDefault: false, revision: 2 })
    await refused(s, () => dev.patch(`/offerings/${former.id}`, { isDefault: false }), 409, 'CONFLICT')
    await dataOf(dev.patch(`/offerings/${marked.id}`, { isDefault: true }))
    await changes(s, () => dev.delete(`/offerings/${marked.id}`), ['offering.update', 'offering.delete'])
    expect(await defaults()).toHaveLength(1)
  })

  test('the mark moves in what apps get, at once', async () => {
    const shown = async () => (await s.get('/v1/offerings/default')).body.data.identifier
    const [former] = await defaults()
    expect(await shown()).toBe(former.identifier)
    const { id, identifier } = await made(offering, { isDefault: true })
    expect(await shown()).toBe(identifier)
    await dataOf(dev.patch(`/offerings/${former.id}`, { isDefault: true }))
    expect(await shown()).toBe(former.identifier)
    await dataOf(dev.delete(`/offerings/${id}`))
  })

  test('packages are kept by order, and name products of the project', async () => {
    const [a, b] = [await made(KINDS.products as Kind), await made(KINDS.products as Kind)]
    const slot = (identifier: string, productId: string, more = {}) => ({ identifier, productId, ...more })
    const packages = [slot('$svc_annual', a.id, { order: 5, isPromoted: true }), slot('$svc_monthly', b.id)]
    const created = await made(offering, { packages })
    expect(created.packages).toEqual([
      { identifier: '$svc_monthly', productId: b.id, order: 1, isPromoted: false, metadata: {} },
      { identifier: '$svc_annual', productId: a.id, order: 5, isPromoted: true, metadata: {} },
    ])
    const url = `/offerings/${created.id}`
    const unknown = ['prd_2pro_monthly00000000000000', 'prd_nothing']
    const details = await refused(
      s,
      () => dev.patch(url, { packages: unknown.map((id, index) => slot(`p${index}`, id)) }),
      400,
      'UNKNOWN_REFERENCES',
    )
    expect(details).toEqual({ resource: 'product', ids: unknown })
    const twice = { packages: [slot('a', a.id), slot('a', b.id)] }
    expect((await refused(s, () => dev.patch(url, twice), 400, 'VALIDATION_ERROR')).fields).toEqual(['packages'])
    for (const wrong of [
      slot('a b', a.id),
      slot('a', a.id, { order: 1.5 }),
      slot('a', a.id, { more: 1 }),
      { identifier: 'a' },
    ])
      await refused(s, () => dev.patch(url, { packages: [wrong] }), 400, 'VALIDATION_ERROR')
    const many = Array.from({ length: 51 }, (_, index) => slot(`p${index}`, a.id))
    await refused(s, () => dev.patch(url, { packages: many }), 409, 'CONFLICT')
    expect((await dataOf(dev.patch(url, { packages: many.slice(1) }))).packages).toHaveLength(50)
    expect((await dataOf(dev.patch(url, { packages: [] }))).packages).toEqual([])
  })

  test('one that a live experiment shows keeps its identifier and is not deleted', async () => {
    const [a, b] = [await made(offering), await made(offering)]
    const variants = [a, b].map(({ identifier }, index) => ({
      id: `v${index}`,
      name: 'V',
      weight: 0.5,
      value: identifier,
    }))
    const draft = { key: fresh('price'), name: 'Price', type: 'OFFERING', audienceId: null, variants }
    const { id } = await dataOf(dev.post('/experiments', draft))
    await refused(s, () => dev.patch(`/offerings/${a.id}`, { identifier: fresh() }), 409, 'CONFLICT')
    await refused(s, () => dev.delete(`/offerings/${a.id}`), 409, 'CONFLICT')
    await dataOf(dev.delete(`/experiments/${id}`))
    await dataOf(dev.patch(`/offerings/${a.id}`, { identifier: fresh() }))
    await dataOf(dev.delete(`/offerings/${a.id}`))
  })
})

describe('virtual currencies', () => {
  test('show holders and the exact total, and come back from the archive with their balances', async () => {
    const { id, code } = await made(KINDS.currencies as Kind)
    const book = (device: string, amount: string) =>
      s.call('POST', `/v1/virtual-currencies/${device}/${code}/transactions`, {
        key: s.project.secretKey,
        raw: `{"amount":${amount},"idempotencyKey":"${fresh()}"}`,
      })
    for (const device of ['svc_1', 'svc_2', 'svc_3']) {
      await s.get('/v1/me', device)
      expect((await book(device, '9223372036854775807')).status).toBe(200)
    }
    expect((await book('svc_3', '-9223372036854775807')).status).toBe(200)
    const text = async () => {
      const url = `http://localhost/dashboard/projects/${s.project.id}/virtual-currencies?limit=200`
      const answer = await s.app.handle(new Request(url, { headers: { cookie: 'svc_session=CUSTOMER_SUPPORT' } }))
      return answer.text()
    }
    expect(await text()).toContain('"holders":2,"total":18446744073709551614')
    await dataOf(dev.delete(`/virtual-currencies/${id}`))
    expect((await book('svc_1', '-1')).status).toBe(404)
    const archived = (await listed('/virtual-currencies')).find((row: { id: string }) => row.id === id)
    expect(archived).toMatchObject({ archivedAt: expect.any(String), holders: 2, revision: 2 })
    const back = await changes(
      s,
      () => dev.post('/virtual-currencies', { code, name: 'Again' }),
      ['virtualCurrency.update'],
      201,
    )
    expect(back).toMatchObject({ id, name: 'Again', archivedAt: null, holders: 2, revision: 3 })
    expect((await book('svc_1', '-1')).status).toBe(200)
  })

  test('wrong members are refused', async () => {
    const body = KINDS.currencies?.body() ?? {}
    for (const wrong of [{ name: ' ' }, { clawback: 'half' }, { clawback: 5 }, { archivedAt: null }])
      await refused(s, () => dev.post('/virtual-currencies', { ...body, ...wrong }), 400, 'VALIDATION_ERROR')
  })
})
