import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { AppError } from '../../src/base/errors'
import { MINUTE } from '../../src/base/lib/clock'
import { slice } from '../../src/base/slice'
import { importSteps } from '../../src/moving/imports/steps'
import { SLICES } from '../../src/slices'
import { type Stage, stage } from '../support/cast'
import { type ImportStage, importStage } from '../support/import-stage'
import { holdingsOf } from '../support/imports'
import { changes } from '../support/operator'
import { person } from '../support/sessions'
import type { StaffRole } from '../support/staff'

// The products that a file names and the catalogue does not have: as a project file, and created.

let s: Stage
let i: ImportStage

const prices = slice({
  name: 'prices',
  checkPaymentPrice: async (_ctx, _projectId, price) => {
    if (price === 'price_gone') throw new AppError('PAYMENT_PRICE_NOT_FOUND')
  },
})

beforeEach(async () => {
  const others = SLICES.map(({ checkPaymentPrice: _none, ...rest }) => rest)
  s = await stage({ env: { SVC_RATE_USER: '0' }, slices: [...others, prices] })
  i = importStage(s)
  s.ctx.state.importSteps = importSteps
})
afterEach(() => s.close())

async function tried(content: string, id?: string) {
  s.ctx.clock.advance(2 * MINUTE) // A few imports are taken each minute.
  const job = id ?? (await i.make(content)).id
  expect((await i.act(job, 'dry-run')).status).toBe(202)
  return i.worked(job)
}

const products = (id: string, body: object = {}, as: StaffRole = 'ADMIN') =>
  i.team.as(as).post(`/imports/${id}/products`, body)

const VENDOR = [
  ...['rc_original_app_user_id', 'rc_last_seen_app_user_id_alias', 'product_identifier', 'product_display_name'],
  ...['product_duration', 'start_time', 'end_time', 'store', 'is_auto_renewable', 'is_trial_period'],
  ...['store_transaction_id', 'original_store_transaction_id', 'entitlement_identifiers'],
]
let number = 0
/** A row of the vendor's export about a product. */
function row(person: string, store: string, product: string, more: Partial<Record<string, string>> = {}): string {
  const id = String(2_000_000 + ++number)
  const plain: Record<string, string> = {
    ...{ rc_original_app_user_id: person, product_identifier: product, store, is_auto_renewable: 'true' },
    ...{ start_time: '2026-11-10 08:00:00', end_time: '2026-12-10 08:00:00', is_trial_period: 'false' },
    ...{ store_transaction_id: store === 'play_store' ? `GPA.${id}` : id, original_store_transaction_id: '' },
  }
  return VENDOR.map((name) => `"${({ ...plain, ...more }[name] ?? '').replaceAll('"', '""')}"`).join()
}
const file = (...rows: string[]) => [VENDOR.join(), ...rows, ''].join('\n')

const ONE_TIME = { end_time: '', is_auto_renewable: 'false' }

const FILE = () =>
  file(
    row('ann', 'app_store', 'com.x.gold.year', {
      ...{ product_display_name: 'Gold, yearly', product_duration: 'P1Y', entitlement_identifiers: '["gold", "pro"]' },
      end_time: '2027-11-10 08:00:00',
    }),
    row('ben', 'app_store', 'com.x.gold.year', { is_trial_period: 'true', end_time: '2026-11-13 08:00:00' }),
    row('ben', 'play_store', 'gold:monthly', { entitlement_identifiers: '["Gold Plus!"]' }),
    row('cyd', 'app_store', 'com.x.forever', ONE_TIME),
    row('cyd', 'app_store', 'com.x.gems', ONE_TIME),
    row('cyd', 'app_store', 'com.x.gems', ONE_TIME),
    row('dan', 'stripe', 'price_new'),
    row('dan', 'stripe', 'prod_named'),
    row('dan', 'stripe', 'price_gone'),
    row('dan', 'promotional', 'a gift'),
    row('dan', 'app_store', 'com.x.pro.monthly'),
  )

describe('the products that a file names and the catalogue does not have', () => {
  test('have the names, periods and accesses of the file', async () => {
    const { id, unknownProducts, forecast } = await tried(FILE())
    expect(unknownProducts).toHaveLength(8)
    expect(forecast.purchases.withoutProduct).toBe(10)
    const shown = await changes(s, () => products(id, { dryRun: true }), [])
    expect(shown).toMatchObject({
      isDryRun: true,
      access: [
        { identifier: 'gold', displayName: 'gold' },
        { identifier: 'Gold_Plus_', displayName: 'Gold Plus!' },
      ],
      skipped: [
        { store: 'MANUAL', identifier: 'a gift', reason: 'NOT_NAMEABLE' },
        { store: 'PAYMENT', identifier: 'price_gone', reason: 'PRICE_NOT_FOUND' },
      ],
    })
    const none = { ios: null, android: null, payment: null }
    expect(shown.products.map((one: { rows: number }) => ({ ...one, rows: 0 }))).toMatchObject([
      {
        identifier: 'com.x.forever',
        type: 'NON_CONSUMABLE',
        period: null,
        storeIds: { ...none, ios: 'com.x.forever' },
      },
      { identifier: 'com.x.gems', type: 'CONSUMABLE', displayName: 'com.x.gems', access: [] },
      {
        ...{ identifier: 'com.x.gold.year', type: 'SUBSCRIPTION', displayName: 'Gold, yearly', period: 'P1Y' },
        ...{ storeIds: { ...none, ios: 'com.x.gold.year' }, access: ['gold', 'pro'] },
      },
      {
        ...{ identifier: 'gold.monthly', type: 'SUBSCRIPTION', displayName: 'gold:monthly', period: 'P1M' },
        ...{ storeIds: { ...none, android: 'gold' }, androidBasePlanId: 'monthly', access: ['Gold_Plus_'] },
      },
      { identifier: 'price_new', storeIds: { ...none, payment: 'price_new' } },
      { identifier: 'prod_named', storeIds: none },
    ])
  })

  test('have the types and periods of columns of the file, where it has them', async () => {
    const header =
      'subscriberExternalId,store,productIdentifier,purchaseDate,expiresDate,storeTransactionId,product_type,period'
    // The dates of an extended month, of one that was bought again and of a subscription that ended are all misleading.
    const { id } = await tried(
      [
        header,
        'ann,ios_store,com.x.plain,2026-09-01,2026-10-05,7001,Auto-Renewable Subscription,1 month',
        'ann,ios_store,com.x.plain,2026-10-05,2026-11-09,7002,Auto-Renewable Subscription,1 month',
        'ann,ios_store,com.x.pass,2026-09-01,,7003,Non-Renewing Subscription,ONE_YEAR',
        'ben,ios_store,com.x.theme,2026-09-01,,7004,Non-Consumable,',
        'ben,ios_store,com.x.theme,2026-09-02,,7005,Non-Consumable,',
        'cyd,ios_store,com.x.coin,2026-09-01,,7006,CONSUMABLE,',
        'dan,android_store,ticket,2026-09-01,2026-10-01,GPA.1-1,inapp,',
        'dan,android_store,other,2026-09-01,2026-10-01,GPA.1-2,no word of a type,soon',
        '',
      ].join('\n'),
    )
    const { data } = (await products(id, { dryRun: true })).body
    const facts = data.products.map(({ identifier, type, period }: Record<string, string>) => [
      identifier,
      type,
      period,
    ])
    expect(facts.sort()).toEqual([
      ['com.x.coin', 'CONSUMABLE', null],
      ['com.x.pass', 'SUBSCRIPTION', 'P1Y'],
      ['com.x.plain', 'SUBSCRIPTION', 'P1M'],
      ['com.x.theme', 'NON_CONSUMABLE', null],
      ['other', 'SUBSCRIPTION', 'P1M'],
      ['ticket', 'NON_CONSUMABLE', null],
    ])
    const made = await changes(s, () => products(id), Array(6).fill('product.create'))
    expect(made.products).toHaveLength(6)
  })

  test('are a project file that is applied as it is, and the next dry run knows them', async () => {
    const { id } = await tried(FILE())
    const { catalog } = (await products(id, { dryRun: true })).body.data
    const planned = await i.team.as('ADMIN').post('/project-file/plan', { file: catalog })
    expect([planned.status, planned.body.data.problems]).toEqual([200, []])
    const applied = await i.team.as('ADMIN').post('/project-file/apply', { file: catalog })
    expect(applied.status).toBe(200)
    const again = await tried('', id)
    expect(again.unknownProducts.map(({ identifier }: { identifier: string }) => identifier).sort()).toEqual([
      'a gift',
      'price_gone',
    ])
    expect((await products(id, { dryRun: true })).body.data).toMatchObject({ products: [], access: [], catalog: null })
  })

  test('are created once, with an entry for each, and the writing gives what they give', async () => {
    const { id } = await tried(FILE())
    const entries = [...Array(2).fill('access.create'), ...Array(6).fill('product.create')]
    const made = await changes(s, () => products(id), entries)
    expect(made).toMatchObject({ isDryRun: false, products: Array(6).fill({}), access: Array(2).fill({}) })
    expect((await i.act(id, 'commit')).status).toBe(202)
    await i.worked(id)
    expect(Object.keys((await holdingsOf(s, 'ann'))?.access ?? {}).sort()).toEqual(['gold', 'pro'])
    expect(Object.keys((await holdingsOf(s, 'ben'))?.access ?? {}).sort()).toContain('Gold_Plus_')
    const refused = await products(id)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT'])
    expect(refused.body.error.message).toMatch(/None of the products/)
  })

  test('are created by one of two who do so at once', async () => {
    const { id } = await tried(file(row('ann', 'app_store', 'com.x.new')))
    const both = await Promise.all([products(id), products(id)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body.error.message).toMatch(/has every product/)
    const made = await s.ctx.db.select().from(s.ctx.tables.products)
    expect(made.filter(({ identifier }) => identifier.startsWith('com.x.new'))).toHaveLength(1)
  })

  test('one that somebody else makes meanwhile is left out, and a taken name gets a number', async () => {
    const { id } = await tried(file(row('ann', 'app_store', 'com.x.a'), row('ann', 'app_store', 'com.x.b')))
    const dev = i.team.as('DEVELOPER')
    const make = (identifier: string, ios: string) =>
      dev.post('/products', { identifier, type: 'SUBSCRIPTION', displayName: 'N', period: 'P1M', storeIds: { ios } })
    expect([(await make('other', 'com.x.a')).status, (await make('com.x.b', 'elsewhere')).status]).toEqual([201, 201])
    const { body } = await products(id)
    expect(body.data).toMatchObject({
      products: [{ identifier: 'com.x.b-2', storeIds: { ios: 'com.x.b' } }],
      skipped: [{ store: 'IOS_STORE', identifier: 'com.x.a', reason: 'EXISTS' }],
    })
  })

  test('a subscription of the App Store is left out as long as neither the file nor another store tells its period', async () => {
    const trial = { is_trial_period: 'true', end_time: '2026-11-13 08:00:00' }
    const endless = row('a', 'app_store', 'com.x.endless', trial)
    const { id } = await tried(file(endless, row('a', 'play_store', 'gold:monthly')))
    const { body } = await products(id)
    expect(body.data.products).toMatchObject([{ identifier: 'gold.monthly', period: 'P1M' }])
    const left = { store: 'IOS_STORE', identifier: 'com.x.endless', reason: 'NO_PERIOD' }
    expect(body.data.skipped).toEqual([left])
    expect((await products(id)).status).toBe(409)
    const second = await tried(file(endless, row('a', 'play_store', 'com.x.endless')))
    expect((await products(second.id)).body.data).toMatchObject({
      products: [{ identifier: 'com.x.endless', period: 'P1M', storeIds: { ios: 'com.x.endless' } }],
      skipped: [],
    })
  })

  test('one name at two stores is one product, unless they sell different things', async () => {
    const year = { end_time: '2027-11-10 08:00:00' }
    const { id } = await tried(
      file(
        ...[row('a', 'app_store', 'com.x.same'), row('a', 'play_store', 'com.x.same')],
        ...[row('a', 'app_store', 'com.x.odd'), row('a', 'play_store', 'com.x.odd', year)],
      ),
    )
    const found = (await products(id, { dryRun: true })).body.data.products
    expect(found.map(({ identifier, period }: Record<string, string>) => [identifier, period])).toEqual([
      ...[
        ['com.x.odd', 'P1Y'],
        ['com.x.odd-2', 'P1M'],
        ['com.x.same', 'P1M'],
      ],
    ])
    expect(found[2].storeIds).toMatchObject({ ios: 'com.x.same', android: 'com.x.same' })
  })
})

describe('creating them is refused', () => {
  test('before the dry run has ended, and for an import of before', async () => {
    const { id } = await i.make(FILE())
    const open = await products(id)
    expect([open.status, open.body.error]).toMatchObject([
      409,
      { code: 'IMPORT_JOB_STATE', details: { action: 'createProducts', state: 'PENDING_MAPPING' } },
    ])
    await i.act(id, 'dry-run')
    expect((await products(id, { dryRun: true })).body.error.details.state).toBe('DRY_RUN_RUNNING')
    await i.worked(id)
    const { importJobs } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(importJobs).set({ findings: { errors: [], unknownProducts: [] } }))
    expect((await products(id)).body.error.code).toBe('IMPORT_JOB_STATE')
  })

  test('for an import of another project, for people who may not import, and without anything to create', async () => {
    const { id } = await tried(file(row('ann', 'app_store', 'com.x.pro.monthly')))
    const put = (projectId: string) => s.ctx.write((tx) => tx.db.update(tx.tables.importJobs).set({ projectId }))
    await put(s.other.id)
    const [elsewhere, unknown] = [await products(id), await products('imp_none')]
    expect(unknown.body.error.message).toBe('There is no import imp_none')
    expect([elsewhere.status, elsewhere.body.error.message]).toEqual([404, `There is no import ${id}`])
    await put(s.project.id)
    expect((await products(id, {}, 'DEVELOPER')).body.error.code).toBe('CAPABILITY_REQUIRED')
    const user = i.team.sessions.sessions.get('ADMIN')?.user ?? person('nobody')
    const token = { id: 'pat_1', user, scopes: ['subscribers:import'], expiresAt: null, revokedAt: null }
    i.team.sessions.tokens.set('svc_pat_import', token)
    const path = `/dashboard/projects/${s.project.id}/imports/${id}/products`
    const { body } = await s.call('POST', path, { key: 'svc_pat_import', body: {} })
    expect(body.error).toMatchObject({ code: 'CAPABILITY_REQUIRED', details: { capability: 'products:write' } })
    s.ctx.clock.advance(2 * MINUTE)
    const nothing = await products(id)
    expect([nothing.status, nothing.body.error.message]).toEqual([409, expect.stringMatching(/names no product/)])
    expect((await products(id, { dryRun: true })).body.data).toMatchObject({ products: [], catalog: null })
    expect((await products(id, { all: true })).status).toBe(400)
  })

  test('as a whole when the catalogue is full', async () => {
    const rows = Array.from({ length: 5 }, (_, n) => row('a', 'app_store', `com.y.${n}`))
    const { id } = await tried(file(...rows))
    const now = s.ctx.clock.now()
    const [first] = await s.ctx.db.select().from(s.ctx.tables.products)
    if (!first) throw new Error('the cast has products')
    const many = Array.from({ length: 1993 }, (_, n) => ({
      ...{ ...first, id: `prd_full_${n}`, identifier: `full_${n}`, iosId: null, androidId: null, paymentId: null },
      ...{ createdAt: now, updatedAt: now },
    }))
    await s.ctx.write(async (tx) => {
      for (let start = 0; start < many.length; start += 500)
        await tx.db.insert(tx.tables.products).values(many.slice(start, start + 500))
    })
    const before = (await s.ctx.db.select().from(s.ctx.tables.products)).length
    expect((await products(id)).body.error).toMatchObject({ code: 'CONFLICT' })
    expect(await s.ctx.db.select().from(s.ctx.tables.products)).toHaveLength(before)
  })
})

test('a catalogue that changes while rows are written counts for the rows behind', async () => {
  const rows = Array.from({ length: 120 }, (_, n) =>
    row(`p${n}`, 'app_store', 'com.x.late', { entitlement_identifiers: '["pro"]' }),
  )
  const { id } = await tried(file(...rows))
  const made: ReturnType<typeof products>[] = []
  s.ctx.state.importSteps = {
    ...importSteps,
    async commitBatch(...given) {
      const result = await importSteps.commitBatch(...given)
      given[0].afterCommit(() => {
        if (made.length === 0) made.push(products(id))
      })
      return result
    },
  }
  expect((await i.act(id, 'commit')).status).toBe(202)
  const done = await i.worked(id)
  expect((await Promise.all(made)).map(({ status }) => status)).toEqual([200])
  expect(done.counters).toMatchObject({ purchasesNew: 120, invalid: 0 })
  expect(Object.keys((await holdingsOf(s, 'p119'))?.access ?? {})).toEqual(['pro'])
})
