import { afterEach, beforeEach, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { toCsvLine } from '../../src/base/http/csv'
import { DAY } from '../../src/base/lib/clock'
import { importSteps } from '../../src/moving/imports/steps'
import { COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { exported } from '../support/exports'
import { type ImportStage, importStage } from '../support/import-stage'
import { zip } from '../support/zip'

// What `svc export-data` writes, in both of its text formats, imported by another deployment.

let from: Stage
let to: Stage
let i: ImportStage
beforeEach(async () => {
  from = await stage()
  await from.receipt('svc_ada', from.buy(MONTHLY, { withTrial: true }))
  await from.post('/v1/identify', { deviceKey: 'svc_bo', appUserId: '=bo "quoted", äöü 💳' })
  await from.receipt('svc_bo', from.buy(COINS))
  await from.call('PUT', '/v1/me/attributes', {
    body: { attributes: { country: 'TR', mood: '+fine' } },
    headers: { 'x-svc-app-user-id': 'svc_bo' },
  })
  await from.get('/v1/me/entitlements', 'svc_visitor')
  from.ctx.clock.advance(DAY)
  to = await stage({ env: { SVC_RATE_USER: '0' }, now: from.ctx.clock.now() })
  i = importStage(to)
  to.ctx.state.importSteps = importSteps
})
afterEach(() => Promise.all([from.close(), to.close()]))

/** Imports a table of the first deployment into the second one. */
async function moved(table: string, format: 'csv' | 'jsonl') {
  const { files } = await exported(from, '--table', table, '--format', format)
  const name = [...files.keys()].find((one) => one.startsWith(`${table}-`)) ?? ''
  return written(files.get(name) ?? '', name)
}

async function written(content: string | Uint8Array, fileName: string, options = {}) {
  to.ctx.clock.advance(61_000) // Changes are limited to five a minute.
  const { id, preset } = await i.make(content, { fileName })
  await i.team.as('ADMIN').patch(`/imports/${id}/mapping`, { options: { skipSandbox: false, ...options } })
  await i.act(id, 'dry-run')
  await i.worked(id)
  await i.act(id, 'commit')
  const { status, counters, errors } = await i.worked(id)
  return { preset, status, counters, errors }
}

async function peopleOf({ ctx }: Stage) {
  const rows = await ctx.db.select().from(ctx.tables.subscribers)
  return rows
    .map(({ deviceKey, appUserId, attributes, isSynthetic, firstSeenAt }) => ({
      ...{ deviceKey, appUserId, isSynthetic, firstSeenAt },
      values: Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value])),
    }))
    .sort((a, b) => (a.deviceKey < b.deviceKey ? -1 : 1))
}

async function purchasesOf({ ctx }: Stage) {
  const owners = new Map(
    (await ctx.db.select().from(ctx.tables.subscribers)).map(({ id, deviceKey }) => [id, deviceKey]),
  )
  const rows = await ctx.db.select().from(ctx.tables.purchases)
  return rows
    .map(({ subscriberId, store, chainKey, status, effectiveEnd }) => ({
      ...{ owner: owners.get(subscriberId), store, chainKey, status, effectiveEnd },
    }))
    .sort((a, b) => (a.chainKey < b.chainKey ? -1 : 1))
}

for (const format of ['csv', 'jsonl'] as const) {
  test(`people move by ${format}, and a second time nothing changes`, async () => {
    const first = await moved('subscribers', format)
    expect(first).toMatchObject({ preset: 'svc_subscribers', status: 'COMPLETED', errors: [] })
    expect(first.counters).toMatchObject({ rows: 3, valid: 3, invalid: 0, subscribersNew: 3, purchasesNew: 0 })
    expect(await peopleOf(to)).toEqual(await peopleOf(from))
    expect((await moved('subscribers', format)).counters).toMatchObject({ rows: 3, subscribersNew: 0 })
    expect(await peopleOf(to)).toEqual(await peopleOf(from))
    expect(await purchasesOf(to)).toEqual([])
  })

  test(`purchases move by ${format} with their people, and people without any come with their own table`, async () => {
    const job = await moved('purchases', format)
    expect(job).toMatchObject({ preset: 'svc', errors: [] })
    expect(job.counters).toMatchObject({ rows: 2, valid: 2, purchasesNew: 2, subscribersNew: 2 })
    expect(await purchasesOf(to)).toEqual(await purchasesOf(from))
    expect((await moved('subscribers', format)).counters).toMatchObject({ subscribersNew: 1 })
    expect(await peopleOf(to)).toEqual(await peopleOf(from))
    const [first] = await to.ctx.db.select().from(to.ctx.tables.subscribers)
    expect(first?.appUserId).not.toBe(first?.deviceKey ?? '')
  })
}

test('somebody whom an import has made moves on, and so does a buyer who has no device yet', async () => {
  const header = 'subscriberExternalId,store,productIdentifier,purchaseDate,originalTransactionId,country\n'
  const rows = `${header}old_user,ios_store,com.x.pro.monthly,2026-01-01,tr_1,DE\n`
  const source = importStage(from)
  from.ctx.state.importSteps = importSteps
  const { id } = await source.make(rows)
  await source.act(id, 'dry-run')
  await source.worked(id)
  await source.act(id, 'commit')
  expect((await source.worked(id)).counters).toMatchObject({ subscribersNew: 1, purchasesNew: 1 })
  await from.ctx.write(async (tx) => {
    const { ensureSynthetic } = await import('../../src/people/subscribers/service')
    await ensureSynthetic(tx, from.project.id, 'ios:2000000000000001')
  })
  from.ctx.clock.advance(DAY)
  expect((await moved('purchases', 'csv')).errors).toEqual([])
  expect(await moved('subscribers', 'jsonl')).toMatchObject({ errors: [], counters: { rows: 5, invalid: 0 } })
  expect(await peopleOf(to)).toEqual(await peopleOf(from))
  const people = await peopleOf(to)
  expect(people.find(({ appUserId }) => appUserId === 'old_user')).toMatchObject({
    ...{ deviceKey: 'import:old_user', isSynthetic: true, values: { country: 'DE' } },
  })
  const buyer = people.find(({ deviceKey }) => deviceKey === 'ios:2000000000000001')
  expect(buyer).toMatchObject({ appUserId: null, isSynthetic: true })
})

test('people who were merged or erased are left out', async () => {
  const columns = ['app_user_id', 'device_key', 'attributes', 'merged_into', 'first_seen_at', 'erased_at']
  const line = (...cells: (string | null)[]) => toCsvLine(cells)
  const content =
    line(...columns) +
    line('a', 'svc_a', '{}', null, '2026-01-01', null) +
    line('b', 'svc_b', '{}', 'sub_01m5vnfe40es8r65rzyjka792g', '2026-01-01', null) +
    line(null, null, '{}', null, '2026-01-01', '2026-02-01') +
    line(null, null, '{}', null, '2026-01-01', null)
  const job = await written(content, 'subscribers.csv')
  expect(job.counters).toMatchObject({ rows: 4, valid: 3, invalid: 1, skipped: 2, subscribersNew: 1 })
  expect(job.errors).toMatchObject([{ line: 5, column: 'app_user_id' }])
  expect((await peopleOf(to)).map(({ appUserId }) => appUserId)).toEqual(['a'])
})

test('a device key of our own making is refused in any other file', async () => {
  const header = 'subscriberExternalId,store,productIdentifier,purchaseDate,deviceKey\n'
  const job = await written(`${header}a,ios_store,x,2026-01-01,ios:1\n`, 'history.csv')
  expect(job.errors).toMatchObject([{ line: 2, column: 'deviceKey' }])
  expect(await peopleOf(to)).toEqual([])
})

test('the country of a row is the attribute that figures read; the own attribute of a person counts more', async () => {
  const row = (id: string, attributes: string) =>
    `${JSON.stringify({ ...CANONICAL, subscriberExternalId: id, attributes, country: 'de', originalTransactionId: id })}\n`
  const job = await written(row('a', '{}') + row('b', '{"country":"FR"}'), 'history.jsonl')
  expect(job).toMatchObject({ preset: 'svc', errors: [], counters: { purchasesNew: 2 } })
  expect((await peopleOf(to)).map(({ appUserId, values }) => [appUserId, values.country])).toEqual([
    ['a', 'DE'],
    ['b', 'FR'],
  ])
  const entries = await to.ctx.db.select().from(to.ctx.tables.figureEntries)
  expect(new Set(entries.map(({ country }) => country))).toEqual(new Set(['DE', 'FR']))
})

const CANONICAL = {
  ...{ store: 'ios_store', productIdentifier: 'com.x.pro.monthly', purchaseDate: '2026-01-01T00:00:00Z' },
  ...{ expiresDate: '2026-02-01T00:00:00Z', price: 9.99, currency: 'USD' },
}

test('JSON Lines are read as gzip and in a zip file too, with the line of each fault', async () => {
  const row = JSON.stringify({ ...CANONICAL, subscriberExternalId: 'a', originalTransactionId: 't1' })
  const text = `${row}\n\nnot json\n${row.replace('"a"', '"b"').replace('t1', 't2')}\n{"more":1}\n`
  for (const content of [gzipSync(text), zip([['history.jsonl', text]])]) {
    const job = await written(content, 'history')
    expect(job.counters).toMatchObject({ rows: 4, valid: 2, invalid: 2 })
    expect(job.errors).toMatchObject([
      { line: 3, column: null },
      { line: 5, column: 'subscriberExternalId' },
    ])
  }
  expect((await peopleOf(to)).map(({ appUserId }) => appUserId)).toEqual(['a', 'b'])
})

test('a list of JSON, and lines that are no objects, are refused before anything is made', async () => {
  for (const content of ['[{"a":1}]', '[\n{"a":1}]', '{"a":1', '{\n"a":1\n}']) {
    to.ctx.clock.advance(61_000)
    const answer = await i.upload(content)
    expect([content, answer.status, answer.body.error.code]).toEqual([content, 400, 'VALIDATION_ERROR'])
  }
  expect([...i.blobs.held.keys()]).toEqual([])
})
