import { eq } from 'drizzle-orm'
import { recordObservations } from '../../src/intake/recording/record-observations'
import { NO_COUNTERS } from '../../src/moving/imports/machine'
import type { BatchResult, ImportOptions } from '../../src/moving/imports/model'
import type { ImportJobRow } from '../../src/moving/imports/queries'
import type { ImportRow } from '../../src/moving/imports/row'
import type { ImportProof } from '../../src/moving/imports/tables'
import { anchorKeyOf } from '../../src/moving/imports/verify/anchor-key'
import { enrichTokens } from '../../src/moving/imports/verify/enrich'
import type { AnchorRow, Turn } from '../../src/moving/imports/verify/model'
import { verifyJob } from '../../src/moving/imports/verify/verify-job'
import { causeOf } from '../../src/people/events/model'
import type { PurchaseRow } from '../../src/people/purchases/queries'
import { newSubscriber, type SubscriberRow } from '../../src/people/subscribers/service'
import type { Observation, ProductType, PurchaseEnvironment, Store } from '../../src/stores/observation'
import type { Stage } from './cast'
import { importJob, importRow } from './imports'

/** A job whose rows are written and whose verification is to run. */
export const verifiedJob = (
  s: Stage,
  options: Partial<ImportOptions> = {},
  members: Partial<ImportJobRow> = {},
): Promise<ImportJobRow> =>
  importJob(s, options, { status: 'VERIFYING', counters: { ...NO_COUNTERS, rows: 7, valid: 7 }, ...members })

/** Somebody whom an import has made, by default without a device column. */
export async function importedPerson(s: Stage, label: string, deviceKey: string | null = null): Promise<SubscriberRow> {
  return s.ctx.write(async (tx) => {
    const made = newSubscriber(tx, s.project.id, deviceKey ?? `import:${label}`, null)
    const row = { ...made, isSynthetic: deviceKey === null, appUserId: label }
    await tx.db.insert(tx.tables.subscribers).values(row)
    return row
  })
}

interface Imported {
  store: Store
  chainKey: string
  originalTransactionId?: string
  environment?: PurchaseEnvironment
  productType?: ProductType
  /** The last one is the newest. */
  transactions: { id: string; product: string; from: number; to: number | null }[]
}

/** A purchase as an import records it. */
export async function importedPurchase(
  s: Stage,
  job: ImportJobRow,
  owner: SubscriberRow,
  { store, chainKey, transactions, ...more }: Imported,
): Promise<PurchaseRow> {
  const project = await s.ctx.state.projects.find(s.project.id)
  if (!project) throw new Error('no project')
  const observations = transactions.map(
    ({ id, product, from, to }): Observation => ({
      kind: 'REPORT',
      id: `import:${id}`,
      eventAt: from,
      transaction: {
        ...{ transactionId: id, storeProductId: product, purchaseDate: from, expiresAt: to },
        originalPurchaseDate: transactions[0]?.from ?? from,
        ...{ isTrial: false, isIntroOffer: false, offerId: null, quantity: 1, ownershipType: 'PURCHASED' },
        ...{ price: { amountMicros: 9_990_000, currency: 'USD' }, reason: 'PURCHASE' },
      } as const,
    }),
  )
  const { purchase } = await s.ctx.write((tx) =>
    recordObservations(
      tx,
      project,
      { subscriber: owner, isNew: false },
      null,
      {
        ...{ store, chainKey, environment: more.environment ?? 'PRODUCTION' },
        ...{
          originalTransactionId: more.originalTransactionId ?? chainKey,
          accountToken: null,
          presentedContext: null,
        },
        productType: more.productType ?? 'SUBSCRIPTION',
        observations,
      },
      causeOf('IMPORT', job.id, store),
    ),
  )
  if (!purchase) throw new Error('nothing was imported')
  return purchase
}

/** A proof of the job that the stores are to be asked about. */
export async function anchor(
  s: Stage,
  job: ImportJobRow,
  subscriber: Pick<SubscriberRow, 'id'>,
  store: Store,
  proof: ImportProof,
  purchaseId: string | null = null,
): Promise<void> {
  const row = {
    ...{ jobId: job.id, projectId: job.projectId, subscriberId: subscriber.id, purchaseId, store, proof },
    ...{ anchorKey: anchorKeyOf(subscriber.id, proof), state: 'PENDING' as const, attempts: 0, error: null },
  }
  await s.ctx.write((tx) => tx.db.insert(tx.tables.importAnchors).values(row))
}

export interface Verified {
  outcome: string
  /** Milliseconds of each wait that was longer than the usual gap between two calls. */
  waits: number[]
}

/** Runs the verification with a clock that moves only by its waits. */
export async function verify(s: Stage, { id }: ImportJobRow, turn: Partial<Turn> = {}): Promise<Verified> {
  const project = await s.ctx.state.projects.find(s.project.id)
  if (!project) throw new Error('no project')
  const waits: number[] = []
  const wait = async (ms: number) => {
    if (ms > 200) waits.push(ms)
    s.ctx.clock.advance(ms)
  }
  const signal = new AbortController().signal
  const outcome = await verifyJob(s.ctx, project, await jobOf(s, id), { signal, wait, ...turn })
  return { outcome, waits }
}

export async function jobOf(s: Stage, id: string): Promise<ImportJobRow> {
  const { importJobs: j } = s.ctx.tables
  const [row] = await s.ctx.db.select().from(j).where(eq(j.id, id))
  if (!row) throw new Error(`no job ${id}`)
  return row
}

export async function anchorsOf(s: Stage, { id }: ImportJobRow): Promise<AnchorRow[]> {
  const { importAnchors: a } = s.ctx.tables
  return s.ctx.db.select().from(a).where(eq(a.jobId, id)).orderBy(a.position)
}

/** Verified, unverifiable, remaining. */
export async function counted(s: Stage, { id }: ImportJobRow): Promise<[number, number, number]> {
  const { verified, unverifiable, remaining } = (await jobOf(s, id)).counters
  return [verified, unverifiable, remaining]
}

export async function purchasesOf(s: Stage, subscriberId: string): Promise<PurchaseRow[]> {
  const { purchases: p } = s.ctx.tables
  return s.ctx.db.select().from(p).where(eq(p.subscriberId, subscriberId)).orderBy(p.chainKey)
}

/** A row of a file of tokens. */
export const tokenRow = (
  line: number,
  label: string,
  purchaseToken: string | null,
  product: string | null,
): ImportRow =>
  importRow({
    ...{ line, subscriberExternalId: label, store: 'ANDROID_STORE', productIdentifier: product },
    purchaseToken,
  })

export async function enrich(s: Stage, { id }: ImportJobRow, rows: ImportRow[]): Promise<BatchResult> {
  const project = await s.ctx.state.projects.find(s.project.id)
  if (!project) throw new Error('no project')
  const job = await jobOf(s, id)
  return s.ctx.write((tx) => enrichTokens(tx, project, job, rows))
}
