import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { importSteps } from '../../src/moving/imports/steps'
import { work } from '../support/accounts'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { openRequest, requestNow } from '../support/data-requests'
import { access, identify } from '../support/facts'
import { type ImportStage, importSample, importStage } from '../support/import-stage'
import { holdingsOf } from '../support/imports'
import { type OldVendor, seconds, startOldVendor, VENDOR_KEY } from '../support/old-vendor'

/** One customer moves in, step by step; each test continues where the one before has ended. */
let s: AndroidStage
let i: ImportStage
let vendor: OldVendor
beforeAll(async () => {
  s = await androidStage({ env: { SVC_ALLOW_PRIVATE_TARGETS: '1', SVC_RATE_USER: '0' } })
  i = importStage(s)
  s.ctx.state.importSteps = importSteps
  vendor = startOldVendor(() => s.ctx.clock.now())
  await liveThere()
})
afterAll(() => s.close())

/** Purchase tokens of the people who bought at Google, and the orders of each. */
const tokens = new Map<string, string>()
const orders = new Map<string, string[]>()

const orderOf = (token: string) =>
  s.server.store.subscriptions.get(token)?.resource.lineItems?.[0]?.latestSuccessfulOrderId ?? ''

/** Two months with the old service, which alone heard of them. */
async function liveThere(): Promise<void> {
  for (const name of ['ada', 'dee']) tokens.set(name, s.server.store.subscribe(ANDROID_MONTHLY))
  for (const [name, token] of tokens) orders.set(name, [orderOf(token)])
  s.ctx.clock.advance(30 * DAY)
  for (const [name, token] of tokens) {
    s.server.store.renew(token)
    orders.get(name)?.push(orderOf(token))
  }
  s.ctx.clock.advance(DAY)
  await s.pushes() // The old service got them.
}

const ago = (days: number) => s.ctx.clock.now() - days * DAY
const text = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

/** A row of the old service's export. */
const row = (user: string, start: number, end: number, more: Record<string, string>): Record<string, string> => ({
  ...{ rc_original_app_user_id: user, rc_last_seen_app_user_id_alias: user, is_auto_renewable: 'true' },
  ...{ start_time: text(start), end_time: text(end), effective_end_time: text(end), updated_at: text(start) },
  ...{ is_trial_period: 'false', is_in_intro_offer_period: 'false', is_sandbox: 'false', ownership_type: 'PURCHASED' },
  ...{ purchased_currency: 'USD', purchase_price_in_purchased_currency: '9.99', first_seen_time: text(ago(60)) },
  ...more,
})

const android = (user: string): Record<string, string>[] =>
  (orders.get(user) ?? []).map((id, n) => {
    const ids = { store_transaction_id: id, original_store_transaction_id: orders.get(user)?.[0] ?? '' }
    const start = ago(31 - 30 * n)
    return row(user, start, start + 30 * DAY, { store: 'play_store', product_identifier: 'pro:monthly', ...ids })
  })

const ios = (user: string, start: number): Record<string, string> =>
  row(user, start, start + 30 * DAY, {
    ...{ store: 'app_store', product_identifier: 'com.x.pro.monthly', renewal_number: '1' },
    ...{
      store_transaction_id: `9000${user.length}${start}`,
      original_store_transaction_id: `9000${user.length}${start}`,
    },
  })

let file = ''
async function exportThere(): Promise<string> {
  const [header = ''] = (await Bun.file(importSample('revenuecat_v5.csv')).text()).split('\n')
  const rows = [...android('ada'), ios('bo', ago(5)), ios('cyrus', ago(45)), ios('gina', ago(46)), ...android('dee')]
  const broken = row('eve', ago(3), ago(0), { store: 'amazon', product_identifier: 'x', store_transaction_id: '1' })
  const lines = [...rows, broken].map((one) => header.split(',').map((name) => one[name] ?? ''))
  return [header, ...lines.map((cells) => cells.join(',')), ''].join('\n')
}

/** Changes are limited to five a minute. */
const later = () => s.ctx.clock.advance(MINUTE + 1)

async function act(id: string, action: string) {
  later()
  const answer = await i.act(id, action)
  expect([action, answer.status]).toEqual([action, 202])
  return i.worked(id)
}

const charges = async (label: string) => (await holdingsOf(s, label))?.lines.map(({ kind }) => kind)
const purchaseCount = async (label: string) => (await holdingsOf(s, label))?.purchases.length

let history = ''

test('the export of the old service is sent, mapped, tried and written', async () => {
  file = await exportThere()
  const sent = await i.make(Bun.gzipSync(Buffer.from(file)), { fileName: 'export.csv.gz' })
  expect(sent).toMatchObject({ preset: 'revenuecat_v5', status: 'PENDING_MAPPING' })
  history = sent.id
  const { columns } = sent.mapping
  const mapped = await i.team.as('ADMIN').patch(`/imports/${history}/mapping`, {
    columns: { ...columns, subscriberExternalId: 'rc_original_app_user_id' },
    options: { skipSandbox: false },
  })
  expect(mapped.status).toBe(200)
  expect(await act(history, 'dry-run')).toMatchObject({
    ...{ status: 'DRY_RUN_COMPLETE', counters: { rows: 8, valid: 7, invalid: 1 } },
    errors: [{ line: 9, column: 'store' }],
  })
  expect(await s.ctx.db.$count(s.ctx.tables.purchases)).toBe(0)
  expect(await act(history, 'commit')).toMatchObject({
    ...{ status: 'COMPLETED', counters: { subscribersNew: 5, purchasesNew: 5, remaining: 0 } },
  })
})

test('everybody has at once what they had there', async () => {
  expect((await identify(s, 'svc_phone', 'ada')).status).toBe(200)
  expect(Object.keys(await access(s, 'svc_phone'))).toEqual(['pro'])
  for (const [label, names] of [
    ['ada', ['pro']],
    ['bo', ['pro']],
    ['cyrus', []],
    ['dee', ['pro']],
  ] as const)
    expect([label, Object.keys((await holdingsOf(s, label))?.access ?? {})]).toEqual([label, [...names]])
  expect(await charges('ada')).toEqual(['INITIAL', 'RENEWAL'])
})

test('a device that sends its receipt before the tokens are imported counts nothing twice', async () => {
  await identify(s, 'svc_dee', 'dee')
  expect((await s.token('svc_dee', tokens.get('dee') ?? '', 'pro_monthly')).status).toBe(200)
  expect([await purchaseCount('dee'), await charges('dee')]).toEqual([1, ['INITIAL', 'RENEWAL']])
})

let second = ''

test('the tokens are imported by a second pass, and Google is asked about them', async () => {
  later()
  const lines = [...tokens].map(([name, token]) => `${name},${token},pro`)
  const header = 'user_id,android_purchase_token,android_product_id'
  const sent = await i.make([header, ...lines, 'nobody,token-x,pro', ''].join('\n'), { fileName: 'tokens.csv' })
  expect(sent).toMatchObject({ kind: 'ANDROID_TOKEN_ENRICHMENT', preset: 'android_tokens' })
  second = sent.id
  await act(second, 'dry-run')
  expect(await act(second, 'commit')).toMatchObject({
    ...{ status: 'COMPLETED', counters: { verified: 2, remaining: 0, invalid: 1, purchasesNew: 0 } },
  })
  for (const label of ['ada', 'dee'])
    expect([await purchaseCount(label), await charges(label)]).toEqual([1, ['INITIAL', 'RENEWAL']])
})

test('a renewal afterwards arrives by notification and by receipt, and counts once', async () => {
  s.ctx.clock.advance(28 * DAY)
  s.server.store.renew(tokens.get('ada') ?? '')
  for (const answer of await s.deliverAll()) expect(answer.status).toBe(200)
  await work(s)
  await s.token('svc_phone', tokens.get('ada') ?? '', 'pro_monthly')
  expect([await purchaseCount('ada'), await charges('ada')]).toEqual([1, ['INITIAL', 'RENEWAL', 'RENEWAL']])
})

test('a comparison with the old service finds every person about whom it differs, and nobody else', async () => {
  const { pro } = await access(s, 'svc_phone')
  const ends = seconds(Date.parse(pro ?? ''))
  const bought = { product_identifier: 'pro', purchase_date: seconds(ago(1)), expires_date: ends }
  for (const name of ['cyrus', 'dee', 'gina']) vendor.people.set(name, {})
  const forgotten = { product_identifier: 'com.x.pro.monthly', purchase_date: seconds(ago(9)), expires_date: null }
  vendor.people.set('bo', { entitlements: { pro: { ...forgotten, grace_period_expires_date: null } } })
  vendor.people.set('ada', {
    entitlements: { pro: { ...bought, grace_period_expires_date: null, product_plan_identifier: 'monthly' } },
    subscriptions: {
      pro: {
        ...{ ...bought, original_purchase_date: seconds(ago(60)), period_type: 'normal', store: 'play_store' },
        ...{ is_sandbox: false, unsubscribe_detected_at: null, billing_issues_detected_at: null, refunded_at: null },
        ...{ grace_period_expires_date: null, product_plan_identifier: 'monthly', ownership_type: 'PURCHASED' },
      },
    },
  })
  const order = { vendor: 'revenuecat', url: vendor.url, key: VENDOR_KEY, rate: 500, sample: null }
  expect((await i.team.as('ADMIN').post('/compare/runs', order)).status).toBe(201)
  await work(s)
  const [run] = (await i.team.as('ADMIN').get('/compare/runs')).body.data.items
  const findings = (await i.team.as('ADMIN').get(`/compare/runs/${run.id}/findings`)).body.data.items
  expect(run.status).toBe('COMPLETED')
  expect(findings.map(({ kind, person }: Record<string, string>) => `${person} ${kind}`).sort()).toEqual([
    ...['bo ACCESS_ONLY_THERE', 'bo PURCHASE_ONLY_HERE', 'cyrus PURCHASE_ONLY_HERE', 'dee ACCESS_ONLY_HERE'],
    'gina PURCHASE_ONLY_HERE',
  ])
})

test('somebody who asks to be forgotten does not come back with the same file', async () => {
  const { body } = await openRequest(s, 'erasure', 'cyrus')
  await work(s)
  const { id } = body.data.request
  expect(await requestNow(s, id)).toMatchObject({ type: 'ERASURE', status: 'COMPLETED', downloadReady: true })
  expect(await holdingsOf(s, 'cyrus')).toBeNull()
  later()
  const again = await i.make(file, { fileName: 'export.csv' })
  await act(again.id, 'dry-run')
  expect(await act(again.id, 'commit')).toMatchObject({ counters: { subscribersNew: 0, purchasesNew: 0 } })
  expect(await holdingsOf(s, 'cyrus')).toBeNull()
  await act(again.id, 'undo')
})

test('the import is taken back, and what the store and the devices have said stays', async () => {
  expect(await act(second, 'undo')).toMatchObject({ status: 'CANCELLED' })
  const done = await act(history, 'undo')
  expect(done.undone.subscribersRemoved).toBe(1)
  expect([await holdingsOf(s, 'gina'), await purchaseCount('bo')]).toEqual([null, 0]) // Bo has events since.
  expect(Object.keys(await access(s, 'svc_phone'))).toEqual(['pro'])
  expect(await purchaseCount('ada')).toBe(1)
})
