import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { toIsoOrNull } from '../../src/base/lib/time'
import { importSteps } from '../../src/moving/imports/steps'
import type { PurchaseRow } from '../../src/people/purchases/queries'
import { type Stage, stage } from '../support/cast'
import { type ImportStage, importSample, importStage } from '../support/import-stage'

// The whole of each expectation: the file, the work that writes its rows, and the purchases in the database.

const AT = Date.parse('2026-11-15T12:00:00.000Z')
const NAMES = readdirSync(dirname(importSample('x'))).filter((name) => name.endsWith('.expect.json'))

/** Without the work behind the reading of rows, both steps are the same function. */
const isWritten = importSteps.commitBatch !== importSteps.enrichTokens

let s: Stage
let i: ImportStage
beforeEach(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' }, now: AT - 62_000, settings: { extraReservedKeys: true } })
  i = importStage(s)
  s.ctx.state.importSteps = importSteps
})
afterEach(() => s.close())

interface ExpectedPurchase {
  store: string
  productIdentifier: string | null
  originalTransactionId: string | null
  status: string | null
  expiresAt: string | null
  isTrial: boolean | null
  environment: string | null
  price?: { amountMicros: number; currency: string } | null
  gracePeriodExpiresAt?: string
  autoResumeAt?: string
  ownershipType?: string
}

interface ExpectedSubscriber {
  appUserId: string
  attributes?: Record<string, string>
  email?: string
  purchases: ExpectedPurchase[]
}

/** Sends a sample, tries it and writes it. The people of a second pass are those of another sample. */
async function importAll(name: string) {
  const expectation = await Bun.file(importSample(name)).json()
  if (expectation.kind === 'ANDROID_TOKEN_ENRICHMENT' && (await peopleOf('user_1006')).length === 0)
    await importAll('revenuecat_v5.expect.json')
  s.ctx.clock.advance(61_000) // Changes are limited to five a minute.
  const { id } = await i.make(await Bun.file(importSample(expectation.file)).bytes(), { fileName: expectation.file })
  if (expectation.mapping) await i.team.as('ADMIN').patch(`/imports/${id}/mapping`, expectation.mapping)
  await i.act(id, 'dry-run')
  await i.worked(id)
  await i.act(id, 'commit')
  return { expectation, job: await i.worked(id) }
}

async function peopleOf(appUserId: string) {
  const { subscribers } = s.ctx.tables
  const rows = await s.ctx.db.select().from(subscribers)
  return rows.filter((row) => row.projectId === s.project.id && row.appUserId === appUserId)
}

async function purchasesOf(subscriberId: string) {
  const { purchases } = s.ctx.tables
  return (await s.ctx.db.select().from(purchases)).filter((row) => row.subscriberId === subscriberId)
}

/** A purchase in the words of the expectation. */
const shownOf = ({ store, environment, originalTransactionId, status, fold }: PurchaseRow) => ({
  ...{ store, environment, status, productIdentifier: fold.storeProductId },
  // Access that somebody gave has no id at a store.
  originalTransactionId: originalTransactionId.replace(/^import:/, ''),
  ...{ expiresAt: toIsoOrNull(fold.expiresAt), isTrial: fold.isTrial, price: fold.price },
  gracePeriodExpiresAt: toIsoOrNull(fold.gracePeriodExpiresAt),
  ...{ autoResumeAt: toIsoOrNull(fold.autoResumeAt), ownershipType: fold.ownershipType },
})

/** Null = not to be known from the file: verification fills it, so that the purchase may not be there yet. */
const isKnown = ({ status, productIdentifier }: ExpectedPurchase) => status !== null && productIdentifier !== null

const named = (purchase: ExpectedPurchase) =>
  Object.fromEntries(Object.entries(purchase).filter(([name, value]) => !SPARE.includes(name) && value !== null))

/** Of the expectation, and not of a purchase. */
const SPARE = ['note', 'lines', 'anchor', 'storeTransactionId']

describe.skipIf(!isWritten)('written', () => {
  test.each(NAMES)('%s', async (name) => {
    const { expectation, job } = await importAll(name)
    expect(['COMPLETED', 'VERIFICATION_INCOMPLETE']).toContain(job.status)
    expect(job.counters).toMatchObject({ rows: expectation.rows, valid: expectation.valid })
    if (expectation.kind !== 'HISTORY') return
    for (const subscriber of expectation.subscribers as ExpectedSubscriber[]) await expectPerson(subscriber)
    const { subscribers } = s.ctx.tables
    const labels = (await s.ctx.db.select().from(subscribers)).flatMap(({ appUserId }) => appUserId ?? [])
    const expected = expectation.subscribers.map(({ appUserId }: ExpectedSubscriber) => appUserId)
    expect(labels.sort()).toEqual(expected.sort())
  })

  test.each(NAMES)('%s twice changes nothing', async (name) => {
    await importAll(name)
    const kept = async () => {
      const { purchases, transactions } = s.ctx.tables
      const ids = (await s.ctx.db.select({ id: purchases.id }).from(purchases)).map(({ id }) => id).sort()
      return [ids, (await s.ctx.db.select().from(transactions)).sort((a, b) => (a.id < b.id ? -1 : 1))]
    }
    const before = await kept()
    const { job } = await importAll(name)
    expect(job.counters).toMatchObject({ subscribersNew: 0, purchasesNew: 0 })
    expect(await kept()).toEqual(before)
  })
})

async function expectPerson({ appUserId, attributes, email, purchases }: ExpectedSubscriber): Promise<void> {
  const [person, ...more] = await peopleOf(appUserId)
  expect([appUserId, person === undefined, more]).toEqual([appUserId, false, []])
  if (!person) return
  const found = (await purchasesOf(person.id)).map(shownOf)
  const known = purchases.filter(isKnown)
  for (const purchase of known) expect(found).toContainEqual(expect.objectContaining(named(purchase)))
  if (known.length === purchases.length) expect(found).toHaveLength(known.length)
  const values = Object.fromEntries(Object.entries(person.attributes).map(([key, { value }]) => [key, value]))
  if (attributes) expect(values).toMatchObject(attributes)
  if (email) expect(values.$email).toBe(email)
}
