import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet'
import { toCsvLine } from '../../src/base/http/csv'
import { MINUTE } from '../../src/base/lib/clock'
import { EXPORT_TABLES, type ExportTable } from '../../src/insight/data-export/model'
import { readerOf, tablesOf } from '../../src/insight/data-export/readers/readers'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { csvRows, exported, freshFolder, jsonRows, modeOf, runExport } from '../support/exports'
import { damage, identify, refund, renew, rowOf } from '../support/facts'

/** 2^53+1: the first integer that a floating-point number cannot hold. */
const ODD = '9007199254740993'
const HOSTILE = '=HYPERLINK("http://x.example";"a,b")'

let s: Stage
let adaId: string
let goneId: string
beforeAll(async () => {
  s = await stage()
  const first = s.buy(MONTHLY, { withTrial: true })
  await s.receipt('svc_ada', first)
  s.ctx.clock.advance(8 * 24 * 60 * MINUTE)
  const second = renew(s, first, MONTHLY)
  await s.receipt('svc_ada', second)
  await s.receipt('svc_ada', refund(s, second))
  await identify(s, 'svc_ada', HOSTILE)
  await attribute('svc_ada', { $email: 'ada@example.com', $displayName: '+Ada', plan: 'a "b"\n,c' })
  await s.receipt('svc_bo', s.buy(COINS))
  await book('svc_bo', ODD)
  await s.receipt('svc_gone', s.buy(YEARLY))
  await s.receipt('svc_gone_tablet', s.buy(COINS))
  await identify(s, 'svc_gone_tablet', 'gone@example.com')
  await identify(s, 'svc_gone', 'gone@example.com')
  await attribute('svc_gone', { $email: 'gone@example.com' })
  await book('svc_gone', '5')
  s.ctx.clock.advance(MINUTE)
  adaId = (await rowOf(s, 'svc_ada')).id
  goneId = (await rowOf(s, 'svc_gone')).id
  await damage(s, goneId, { erasedAt: s.ctx.clock.now(), updatedAt: s.ctx.clock.now() })
  await s.receipt('svc_other', await othersPurchase(), { key: s.other.publicKey })
  s.ctx.clock.advance(MINUTE)
})
afterAll(() => s.close())

const attribute = (device: string, attributes: object) =>
  s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': device } })

const book = (device: string, amount: string) =>
  s.call('POST', `/v1/virtual-currencies/${device}/coins/transactions`, {
    raw: `{"amount":${amount},"idempotencyKey":"for-${device}","description":"for ${device}","referenceType":"of ${device}"}`,
    key: s.project.secretKey,
  })

const othersPurchase = async () => s.buy(MONTHLY)

const byId = (id: string) => (row: { id: string }) => row.id === id

describe('an export of everything', () => {
  test('has every table in files of its own, and a manifest with their checksums', async () => {
    const { files, manifest, folder } = await exported(s)
    expect([...files.keys()].sort()).toEqual(
      [...EXPORT_TABLES.map((table) => `${table}-000001.csv`), 'manifest.json'].sort(),
    )
    expect(manifest.files.map(({ table }: { table: string }) => table)).toEqual([...EXPORT_TABLES])
    for (const { name, bytes, sha256, rows } of manifest.files) {
      const content = files.get(name) ?? Buffer.alloc(0)
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256])
      expect(csvRows(content.toString())).toHaveLength(rows)
      expect(modeOf(join(folder, name))).toBe(0o600)
    }
    expect(manifest.window).toEqual({ from: null, to: new Date(s.ctx.clock.now()).toISOString() })
    expect(manifest.project.id).toBe(s.project.id)
    expect(modeOf(folder)).toBe(0o700)
  })

  test('has the rows of the database and none of another project', async () => {
    const all = await exported(s, '--format', 'jsonl')
    const { subscribers, purchases, transactions, events, ledger } = s.ctx.tables
    for (const [name, table] of Object.entries({ subscribers, purchases, transactions, events, ledger })) {
      const rows = await s.ctx.db.select({ id: table.id }).from(table).where(eq(table.projectId, s.project.id))
      const ids = jsonRows(all, name).map(({ id }) => id)
      expect(ids.toSorted()).toEqual(rows.map(({ id }) => id).sort())
      expect(ids.length).toBeGreaterThan(0)
    }
    expect(JSON.stringify([...all.files.values()].map(String))).not.toContain('svc_other')
  })

  test('is the same again, byte by byte', async () => {
    const [one, two] = [await exported(s), await exported(s)]
    for (const table of EXPORT_TABLES)
      expect(one.files.get(`${table}-000001.csv`)).toEqual(two.files.get(`${table}-000001.csv`) as Buffer)
  })

  test('writes one audit row that names the tables and the place, and no data', async () => {
    const { auditLog } = s.ctx.tables
    const audits = () => s.ctx.db.select().from(auditLog).where(eq(auditLog.projectId, s.project.id))
    const before = (await audits()).length
    const { folder } = await exported(s, '--table', 'ledger')
    const rows = await audits()
    expect(rows).toHaveLength(before + 1)
    expect(rows.at(-1)).toMatchObject({
      action: 'data.export',
      actor: { kind: 'CLI' },
      after: { tables: ['ledger'], format: 'csv', target: dirname(folder) },
    })
    for (const data of ['svc_ada', adaId, 'ada@', '+Ada']) expect(JSON.stringify(rows.at(-1))).not.toContain(data)
  })
})

describe('columns', () => {
  test('of purchases begin with the canonical ones of an import', async () => {
    const { files } = await exported(s, '--table', 'purchases')
    const text = files.get('purchases-000001.csv')?.toString() ?? ''
    expect(text).toStartWith('subscriberExternalId,store,productIdentifier,purchaseDate,deviceKey,')
    const row = csvRows(text).find(({ subscriber_id }) => subscriber_id === adaId)
    expect(row).toMatchObject({
      subscriberExternalId: HOSTILE,
      store: 'IOS_STORE',
      productIdentifier: 'pro_monthly',
      isSubscription: 'true',
      isSandbox: 'true',
      price: '9.99',
      price_micros: '9990000',
      currency: 'USD',
      email: 'ada@example.com',
      displayName: '+Ada',
      attributes: JSON.stringify({ plan: 'a "b"\n,c' }),
      entitlements: '["pro"]',
      status: 'REFUNDED',
      renewalNumber: '0',
      purchaseToken: '',
      providerId: '',
    })
    expect(row?.refundedAt).toEndWith('Z')
  })

  test('of transactions hold signed micros, of the sandbox say so', async () => {
    const rows = jsonRows(await exported(s, '--format', 'jsonl', '--table', 'transactions'), 'transactions')
    const hers = rows.filter(({ subscriber_id }) => subscriber_id === adaId)
    expect(hers.map(({ kind, amount_micros }) => [kind, amount_micros])).toEqual([
      ['TRIAL', 0],
      ['TRIAL_CONVERSION', 9990000],
      ['REFUND', -9990000],
    ])
    expect(new Set(rows.map(({ is_sandbox }) => is_sandbox))).toEqual(new Set([true]))
  })

  test('of the ledger hold 64-bit integers exactly in every format', async () => {
    const csv = await exported(s, '--table', 'ledger')
    expect(csv.files.get('ledger-000001.csv')?.toString()).toContain(`,${ODD},`)
    const jsonl = await exported(s, '--table', 'ledger', '--format', 'jsonl')
    expect(jsonl.files.get('ledger-000001.jsonl')?.toString()).toContain(`"amount":${ODD},`)
    const rows = await parquetRows(await exported(s, '--table', 'ledger', '--format', 'parquet'), 'ledger')
    expect(rows.map(({ amount }) => amount)).toContain(BigInt(ODD))
  })

  test('are listed in the manifest as they are in the files', async () => {
    const { manifest, files } = await exported(s)
    for (const { table, columns, rows } of manifest.tables) {
      const [header] = (files.get(`${table}-000001.csv`)?.toString() ?? '').split('\r\n')
      expect(columns.map(({ name }: { name: string }) => name).join(',')).toBe(header)
      expect(rows).toBeGreaterThan(0)
    }
  })
})

async function parquetRows({ files }: Awaited<ReturnType<typeof exported>>, table: string) {
  const bytes = files.get(`${table}-000001.parquet`) ?? Buffer.alloc(0)
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  return parquetReadObjects({ file })
}

describe('Parquet', () => {
  test('read by another library has the same rows as JSON Lines', async () => {
    const [parquet, jsonl] = [await exported(s, '--format', 'parquet'), await exported(s, '--format', 'jsonl')]
    for (const table of EXPORT_TABLES) {
      const types = new Map(readerOf('svc', table).columns.map(({ name, type }) => [name, type]))
      const rows = await parquetRows(parquet, table)
      const plain = rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toJson(value, types.get(name))])),
      )
      const wanted = jsonRows(jsonl, table)
      expect(plain.length).toBe(wanted.length)
      if (table !== 'ledger') expect(plain).toEqual(wanted)
    }
  })

  const toJson = (value: unknown, type: string | undefined): unknown => {
    if (value === null || value === undefined) return null
    if (value instanceof Date) return value.toISOString()
    if (type === 'json') return typeof value === 'string' ? JSON.parse(value) : value
    return typeof value === 'bigint' ? Number(value) : value
  }

  test('has integers of 64 bits and timestamps in milliseconds', async () => {
    const { files } = await exported(s, '--format', 'parquet', '--table', 'ledger')
    const bytes = files.get('ledger-000001.parquet') ?? Buffer.alloc(0)
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
    const columns = parquetSchema(parquetMetadata(file)).children.map(({ element }) => element)
    expect(columns.find(({ name }) => name === 'amount')).toMatchObject({ type: 'INT64' })
    expect(columns.find(({ name }) => name === 'created_at')).toMatchObject({
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
    })
  })
})

describe('CSV', () => {
  test('gets an apostrophe before what a spreadsheet would run, and every text can be read back', async () => {
    const { files } = await exported(s, '--table', 'subscribers')
    const text = files.get('subscribers-000001.csv')?.toString() ?? ''
    expect(text).toContain(`"'=HYPERLINK(`)
    expect(text).not.toMatch(/(^|,|\n)"?=HYPERLINK/)
    expect(csvRows(text).find(byId(adaId) as never)?.app_user_id).toBe(HOSTILE)
  })
})

test('a table without rows has one file with its columns, in every format', async () => {
  const of = (format: string) => exported(s, '--format', format, '--table', 'ledger', '--project', s.other.id)
  const csv = (await of('csv')).files.get('ledger-000001.csv')?.toString() ?? ''
  expect(csv).toBe(
    `${readerOf('svc', 'ledger')
      .columns.map(({ name }) => name)
      .join(',')}\r\n`,
  )
  expect((await of('jsonl')).files.get('ledger-000001.jsonl')?.length).toBe(0)
  expect(await parquetRows(await of('parquet'), 'ledger')).toEqual([])
})

test('every text of CSV can be read back', () => {
  const text = fc.string({ unit: fc.constantFrom(...`'="+-@,\t\r\n a1\uff1dé`) })
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
      const header = cells.map((_, index) => `c${index}`)
      const [row = {}] = csvRows(toCsvLine(header) + toCsvLine(cells))
      expect(header.map((name) => row[name])).toEqual(cells)
    }),
  )
})

describe('a person who was erased', () => {
  test('is a row with the time of the erasure and nothing about the person, in every table', async () => {
    const all = await exported(s, '--format', 'jsonl')
    expect(jsonRows(all, 'subscribers').find(byId(goneId))).toMatchObject({
      app_user_id: null,
      device_key: null,
      attributes: {},
      erased_at: new Date(s.ctx.clock.now() - MINUTE).toISOString(),
    })
    const merged = jsonRows(all, 'subscribers').filter((row) => row.merged_into === goneId)
    expect(merged.map((row) => [row.device_key, row.erased_at === null])).toEqual([[null, false]])
    const purchase = jsonRows(all, 'purchases').find(
      (row) => row.subscriber_id === goneId && row.productIdentifier === 'pro_yearly',
    )
    expect(purchase).toMatchObject({ subscriberExternalId: goneId, deviceKey: null, email: null, price: '79.99' })
    const events = jsonRows(all, 'events').filter((row) => row.subscriber_id === goneId)
    expect(events.length).toBeGreaterThan(0)
    for (const event of events)
      expect(event).toMatchObject({ app_user_id: null, before: null, after: null, data: null })
    const booked = jsonRows(all, 'ledger').filter((row) => row.subscriber_id === goneId)
    expect(booked.at(-1)).toMatchObject({ amount: 5, reference_type: null, reference_id: null, description: null })
    for (const [name, content] of all.files) {
      expect([name, content.includes('gone@example.com')]).toEqual([name, false])
      expect([name, content.includes('svc_gone')]).toEqual([name, false])
    }
  })

  test('does not appear in the columns of the vendor either', async () => {
    const { files } = await exported(s, '--columns', 'revenuecat_v5')
    for (const content of files.values()) {
      expect(content.includes('gone@example.com')).toBe(false)
      expect(content.includes('svc_gone')).toBe(false)
    }
    expect(files.get('transactions-000001.csv')?.includes(goneId)).toBe(true)
  })
})

describe('the columns of the vendor', () => {
  test('are those of its export version 5, one row for each period with its refund', async () => {
    const { files, manifest } = await exported(s, '--columns', 'revenuecat_v5')
    expect([...files.keys()].sort()).toEqual(['manifest.json', 'transactions-000001.csv'])
    const text = files.get('transactions-000001.csv')?.toString() ?? ''
    expect(text.split('\r\n')[0]).toBe(VENDOR_HEADER)
    expect(manifest.column_set).toBe('revenuecat_v5')
    const hers = csvRows(text).filter((row) => row.rc_last_seen_app_user_id_alias === HOSTILE)
    expect(hers).toHaveLength(2)
    expect(hers[0]).toMatchObject({
      rc_original_app_user_id: 'svc_ada',
      store: 'app_store',
      product_identifier: 'com.x.pro.monthly',
      is_trial_period: 'true',
      is_trial_conversion: 'false',
      purchase_price_in_purchased_currency: '0',
      refunded_at: '',
      renewal_number: '1',
      is_sandbox: 'true',
      country: '',
    })
    expect(hers[1]).toMatchObject({
      is_trial_period: 'false',
      is_trial_conversion: 'true',
      purchase_price_in_purchased_currency: '9.99',
      price_in_purchased_currency: '0',
      purchased_currency: 'USD',
      renewal_number: '2',
      entitlement_identifiers: '["pro"]',
      ownership_type: 'PURCHASED',
    })
    expect(hers[1]?.refunded_at).toMatch(/^2026-11-\d\d \d\d:\d\d:\d\d$/)
    expect(hers[1]?.original_store_transaction_id).toBe(hers[0]?.store_transaction_id as string)
    expect(JSON.parse(hers[1]?.reserved_subscriber_attributes ?? '')).toMatchObject({
      $email: { value: 'ada@example.com' },
    })
  })

  const VENDOR_HEADER =
    'rc_original_app_user_id,rc_last_seen_app_user_id_alias,country,country_source,product_identifier,product_display_name,product_duration,start_time,end_time,grace_period_end_time,effective_end_time,store,is_auto_renewable,is_trial_period,is_in_intro_offer_period,is_sandbox,price_in_usd,purchase_price_in_usd,takehome_percentage,tax_percentage,commission_percentage,store_transaction_id,original_store_transaction_id,refunded_at,unsubscribe_detected_at,billing_issues_detected_at,purchased_currency,price_in_purchased_currency,purchase_price_in_purchased_currency,entitlement_identifiers,renewal_number,is_trial_conversion,presented_offering,ownership_type,reserved_subscriber_attributes,custom_subscriber_attributes,platform,experiment_id,experiment_variant,updated_at,offer,offer_type,first_seen_time,auto_resume_time'
})

const refusals: [name: string, args: string[], code: number, says: string][] = [
  ['an unknown table', ['--table', 'deliveries'], 2, '--table takes subscribers'],
  ['no table', ['--table', ''], 2, '--table takes subscribers'],
  ['an unknown format', ['--format', 'xml'], 2, '--format takes csv, jsonl, parquet'],
  ['unknown columns', ['--columns', 'adapty'], 2, '--columns takes svc, revenuecat_v5'],
  ['a table that the columns lack', ['--columns', 'revenuecat_v5', '--table', 'ledger'], 2, 'has transactions'],
  ['a time that is none', ['--since', 'yesterday'], 2, '--since takes a time'],
  ['an empty place', ['--to', ''], 2, '--to takes a folder'],
  ['a bucket without a name', ['--to', 's3:///x'], 2, '--to takes a folder or s3://bucket/prefix'],
  ['a bucket with a way up', ['--to', 's3://bucket/a/../b'], 2, '--to takes a folder or s3://bucket/prefix'],
  ['a bucket without credentials', ['--to', 's3://bucket/a'], 2, 'AWS_ACCESS_KEY_ID'],
  ['a word too many', ['everything'], 2, 'does not know "everything"'],
  ['an unknown option', ['--all'], 2, '--all'],
  ['a folder below a file', ['--to', '/dev/null/x'], 1, 'The export is not complete: '],
  ['a folder that cannot be written', ['--to', '/proc/svc-export'], 1, 'The export is not complete: '],
]
for (const [name, args, code, says] of refusals)
  test(`${name} is refused in one sentence`, async () => {
    const ran = await runExport(s, ...args)
    expect(ran).toMatchObject({ code, out: '' })
    expect(ran.err).toContain(says)
    expect(ran.err.split('\n')).toHaveLength(1)
  })

test('a project that is not there is refused, and nothing is written', async () => {
  const folder = freshFolder()
  const ran = await runExport(s, '--to', folder, '--project', 'nobody')
  expect(ran).toMatchObject({ code: 1, out: '' })
  expect(readdirSync(folder)).toEqual([])
})

test('every table of a column set has a reader with columns of different names', () => {
  for (const columns of ['svc', 'revenuecat_v5'] as const)
    for (const table of tablesOf(columns) as ExportTable[]) {
      const names = readerOf(columns, table).columns.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
    }
})
