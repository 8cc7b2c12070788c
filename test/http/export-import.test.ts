import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { inspectFiles } from '../../src/moving/imports/files/inspect'
import type { ImportRow } from '../../src/moving/imports/row'
import { openRows } from '../../src/moving/imports/rows/open-rows'
import { proposeMapping, recognisePreset } from '../../src/moving/imports/rows/presets'
import { COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { exported, jsonRows } from '../support/exports'

let s: Stage
beforeAll(async () => {
  s = await stage()
  await s.receipt('svc_ada', s.buy(MONTHLY, { withTrial: true }))
  await s.receipt('svc_bo', s.buy(COINS))
  await s.post('/v1/identify', { deviceKey: 'svc_bo', appUserId: 'bo "quoted", äöü 💳' })
  await s.receipt('svc_cy', s.buy(MONTHLY))
  s.ctx.clock.advance(DAY) // An export holds what was made before it.
})
afterAll(() => s.close())

async function rowsOf(columns: string, table: string) {
  const { files } = await exported(s, '--columns', columns, '--format', 'csv')
  const name = [...files.keys()].find((one) => one.startsWith(`${table}-`)) ?? ''
  const { blobs } = s.ctx.state
  const key = `imports/imp_${columns.replaceAll('_', '')}/0`
  const stored = await blobs.write(key, new Blob([new Uint8Array(files.get(name) ?? [])]).stream())
  const { files: read, header } = await inspectFiles(blobs, { key, name, ...stored })
  const preset = recognisePreset(header.headers)
  const rows: ImportRow[] = []
  const faults: unknown[] = []
  if (preset) {
    const options = { skipSandbox: false, importAnchorless: true, enrichUngroupedChains: false }
    const job = {
      kind: preset.kind,
      preset: preset.name,
      files: read,
      mapping: proposeMapping(preset, header.headers),
      options,
    }
    for await (const batch of openRows(s.ctx, job, null)) {
      rows.push(...batch.rows)
      faults.push(...batch.faults)
    }
  }
  return {
    preset: preset?.name,
    rows: rows.sort((a, b) => ((a.storeTransactionId ?? '') < (b.storeTransactionId ?? '') ? -1 : 1)),
    faults,
  }
}

const at = (text: string | null) => (text === null ? null : Date.parse(text))

test('the purchases of our own export are recognised, and each row says what the export says', async () => {
  const { preset, rows, faults } = await rowsOf('svc', 'purchases')
  expect([preset, faults]).toEqual(['svc', []])
  const json = jsonRows(await exported(s, '--format', 'jsonl', '--table', 'purchases'), 'purchases')
  const wanted = json.toSorted((a, b) => (a.storeTransactionId < b.storeTransactionId ? -1 : 1))
  expect(rows).toHaveLength(3)
  for (const [index, row] of rows.entries()) {
    const one = wanted[index]
    for (const name of [
      'subscriberExternalId',
      'productIdentifier',
      'originalTransactionId',
      'storeTransactionId',
      'quantity',
      'isTrial',
      'isSandbox',
      'autoRenews',
      'ownershipType',
      'renewalNumber',
      'deviceKey',
      'isSubscription',
    ] as const)
      expect([name, row[name]]).toEqual([name, one[name]])
    for (const name of [
      'purchaseDate',
      'expiresDate',
      'originalPurchaseDate',
      'cancelledAt',
      'refundedAt',
      'updatedAt',
      'firstSeenAt',
      'lastSeenAt',
    ] as const)
      expect([name, row[name]]).toEqual([name, at(one[name])])
    expect(row.store).toBe(one.store)
    expect(row.price === null ? null : [row.price.amountMicros, row.price.currency]).toEqual(
      one.price === null ? null : [Math.round(Number(one.price) * 1e6), one.currency],
    )
  }
})

test('the transactions in the columns of the vendor are recognised too', async () => {
  const { preset, rows, faults } = await rowsOf('revenuecat_v5', 'transactions')
  expect([preset, faults]).toEqual(['revenuecat_v5', []])
  expect(rows.length).toBeGreaterThan(1)
})
