import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { memoryBlobs } from '../../../../test/support/memory-blobs'
import { toIsoOrNull } from '../../../base/lib/time'
import { inspectFiles } from '../files/inspect'
import type { ImportMapping } from '../model'
import type { ImportRow, RowFault } from '../row'
import { openRows, type RowBatch } from './open-rows'
import { presetOf, proposeMapping, recognisePreset } from './presets'

const FOLDER = join(import.meta.dir, '../../../../test/fixtures/imports')
const EXPECTATIONS = readdirSync(FOLDER).filter((name) => name.endsWith('.expect.json'))

interface Expectation {
  file: string
  preset: string | null
  kind: string
  options: { skipSandbox: boolean; importAnchorless: boolean; enrichUngroupedChains: boolean }
  rows: number
  valid: number
  skipped: number
  mapping?: ImportMapping
  invalid: { line: number; column: string | null }[]
  subscribers: ExpectedSubscriber[]
}

interface ExpectedSubscriber {
  appUserId: string
  attributes?: Record<string, string>
  email?: string
  firstSeenAt?: string
  lastSeenAt?: string
  purchases: ExpectedPurchase[]
}

interface ExpectedPurchase {
  store: string
  productIdentifier: string | null
  originalTransactionId: string | null
  storeTransactionId?: string
  expiresAt: string | null
  price?: { amountMicros: number; currency: string } | null
  ownershipType?: string
  lines: number[]
}

async function readSample(name: string, partBytes: number) {
  const expectation: Expectation = await Bun.file(join(FOLDER, name)).json()
  const blobs = memoryBlobs(partBytes)
  const bytes = await Bun.file(join(FOLDER, expectation.file)).bytes()
  const stored = await blobs.write('imports/imp_1/0', new Blob([bytes]).stream())
  const { files, header } = await inspectFiles(blobs, { key: 'imports/imp_1/0', name: expectation.file, ...stored })
  const preset = recognisePreset(header.headers)
  const mapping = expectation.mapping ?? (preset && proposeMapping(preset, header.headers))
  const { options } = expectation
  const job = { kind: preset?.kind ?? ('HISTORY' as const), preset: preset?.name ?? null, files, mapping, options }
  return { expectation, job, ctx: { state: { blobs } } }
}

async function readAll(name: string, partBytes = 64 * 1024) {
  const { expectation, job, ctx } = await readSample(name, partBytes)
  const batches: RowBatch[] = []
  for await (const batch of openRows(ctx, job, null)) batches.push(batch)
  const rows: ImportRow[] = batches.flatMap((batch) => batch.rows)
  const faults: RowFault[] = batches.flatMap((batch) => batch.faults)
  const sum = (count: (batch: RowBatch) => number) => batches.reduce((total, batch) => total + count(batch), 0)
  const counts = { records: sum(({ records }) => records), skipped: sum(({ skipped }) => skipped) }
  return { expectation, job, rows, faults, ...counts }
}

test('there are samples', () => expect(EXPECTATIONS.length).toBe(13))

describe.each(EXPECTATIONS)('%s', (name) => {
  test('counts, invalid rows and recognised preset are as expected', async () => {
    const { expectation, job, rows, faults, records, skipped } = await readAll(name)
    expect<unknown[]>([job.preset, job.kind]).toEqual([expectation.preset, expectation.kind])
    expect({ records, valid: rows.length + skipped, skipped }).toEqual({
      ...{ records: expectation.rows, valid: expectation.valid, skipped: expectation.skipped },
    })
    expect(faults.map(({ line, column }) => ({ line, column }))).toEqual(
      expectation.invalid.map(({ line, column }) => ({ line, column })),
    )
  })

  test('each purchase of the expectation stands in its rows', async () => {
    const { expectation, rows } = await readAll(name)
    const byLine = new Map(rows.map((row) => [row.line, row]))
    for (const { appUserId, purchases } of expectation.subscribers)
      for (const purchase of purchases)
        for (const line of purchase.lines) {
          const row = byLine.get(line)
          expect(row?.subscriberExternalId).toBe(appUserId)
          expect(row?.store as string).toBe(purchase.store)
          if (row) expectRow(row, purchase)
        }
    for (const subscriber of expectation.subscribers) expectPerson(rows, subscriber)
    const lines = expectation.subscribers.flatMap(({ purchases }) => purchases.flatMap((purchase) => purchase.lines))
    expect(rows.map(({ line }) => line)).toEqual([...new Set(lines)].sort((a, b) => a - b))
  })

  test('parts of seven bytes give the same rows', async () => {
    const whole = await readAll(name)
    const parted = await readAll(name, 7)
    expect(parted.rows).toEqual(whole.rows)
    expect(parted.faults).toEqual(whole.faults)
  })
})

function expectRow(row: ImportRow, purchase: ExpectedPurchase) {
  expect(row.originalTransactionId ?? row.providerId).toBe(purchase.originalTransactionId)
  if (purchase.storeTransactionId) expect(row.storeTransactionId).toBe(purchase.storeTransactionId)
  if (purchase.ownershipType) expect<string | null>(row.ownershipType).toBe(purchase.ownershipType)
  if (purchase.lines.length > 1) return
  expect(row.productIdentifier).toBe(purchase.productIdentifier)
  expect(toIsoOrNull(row.expiresDate)).toBe(purchase.expiresAt)
  if (purchase.price !== undefined) expect(row.price).toEqual(purchase.price)
}

function expectPerson(rows: readonly ImportRow[], { appUserId, ...person }: ExpectedSubscriber) {
  const own = rows.filter((row) => row.subscriberExternalId === appUserId)
  if (person.attributes) expect(Object.assign({}, ...own.map((row) => row.attributes))).toEqual(person.attributes)
  if (person.email) expect(own.map(({ email }) => email)).toContain(person.email)
  if (person.firstSeenAt) expect(own.map((row) => toIsoOrNull(row.firstSeenAt))).toContain(person.firstSeenAt)
  if (person.lastSeenAt) expect(own.map((row) => toIsoOrNull(row.lastSeenAt))).toContain(person.lastSeenAt)
}

test('a preset is found by its name', () => {
  expect(presetOf('revenuecat_v5')?.name).toBe('revenuecat_v5')
  expect(presetOf('qonversion')).toBeNull()
})

describe.each(EXPECTATIONS)('%s in batches of two', (name) => {
  test('has the same rows, also behind each checkpoint', async () => {
    const { job, ctx } = await readSample(name, 64 * 1024)
    const read = async (from: RowBatch['checkpoint'] | null, size: number) => {
      const batches: RowBatch[] = []
      for await (const batch of openRows(ctx, job, from, () => size)) batches.push(batch)
      return batches
    }
    const linesOf = (batches: readonly RowBatch[]) =>
      batches.flatMap(({ rows, faults }) => [...rows, ...faults].map(({ line }) => line)).sort((a, b) => a - b)
    const whole = linesOf(await read(null, 1000))
    const batches = await read(null, 2)
    expect(linesOf(batches)).toEqual(whole)
    for (const [index, { checkpoint }] of batches.entries())
      expect(linesOf(await read(checkpoint, 3))).toEqual(linesOf(batches.slice(index + 1)))
    for (const [index, { rows }] of batches.entries()) {
      const next = batches[index + 1]
      if (next && next.faults.length === 0 && rows.length > 0 && next.skipped === 0)
        expect(next.rows[0]?.subscriberExternalId).not.toBe(rows.at(-1)?.subscriberExternalId)
    }
  })
})
