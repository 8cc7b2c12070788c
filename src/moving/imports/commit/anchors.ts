import { sql } from 'drizzle-orm'
import type { Tx } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { insertMany } from '../../../base/db/insert-many'
import { sha256Hex } from '../../../base/lib/hash'
import { splitOrderId } from '../../../stores/android/order'
import type { ImportRow } from '../row'
import type { ImportProof } from '../tables'
import type { ImportJobRow } from './job-row'
import type { ImportedPerson } from './people'
import { personOf } from './row-identity'

type AnchorRow = Handle['tables']['importAnchors']['$inferSelect']
type NewAnchor = Omit<AnchorRow, 'position'>

/** By what the store can be asked about the purchase of a row; null = by nothing. */
function proofOf(row: ImportRow): ImportProof | null {
  const { purchaseToken: token, productIdentifier: product, isSubscription, receipt } = row
  const id = row.originalTransactionId ?? row.storeTransactionId
  switch (row.store) {
    case 'IOS_STORE': {
      const named = row.ownershipType === 'FAMILY_SHARED' ? (row.storeTransactionId ?? id) : id
      if (named !== null) return { kind: 'ORIGINAL_TRANSACTION', id: named }
      return receipt === null ? null : { kind: 'RECEIPT', jws: receipt }
    }
    case 'ANDROID_STORE':
      if (token !== null) return { kind: 'PURCHASE_TOKEN', token, product, isSubscription }
      return id === null ? null : { kind: 'ORDER', id: splitOrderId(id).base }
    case 'PAYMENT': {
      const named = [row.providerId, row.originalTransactionId, row.storeTransactionId].find(
        (one) => one !== null && /^(sub|pi)_/.test(one),
      )
      return named == null ? null : { kind: 'PROVIDER', id: named }
    }
    case 'MANUAL':
      return null
  }
}

/** Names the proof of a row; null without one. */
export function proofName(row: ImportRow): string | null {
  const proof = proofOf(row)
  return proof && nameOf(proof)
}

const nameOf = (proof: ImportProof): string => `${proof.kind}:${textOf(proof)}`

/**
 * One row for each proof of a job.
 *
 * @param purchases the purchase of each row, where the file alone could make one
 */
export const saveAnchors = (
  tx: Tx,
  job: Pick<ImportJobRow, 'id' | 'projectId'>,
  rows: readonly ImportRow[],
  people: ReadonlyMap<string, ImportedPerson>,
  purchases: ReadonlyMap<ImportRow, string>,
): Promise<void> => insertAnchors(tx, anchorsOf(job, rows, people, purchases))

function anchorsOf(
  { id: jobId, projectId }: Pick<ImportJobRow, 'id' | 'projectId'>,
  rows: readonly ImportRow[],
  people: ReadonlyMap<string, ImportedPerson>,
  purchases: ReadonlyMap<ImportRow, string>,
): NewAnchor[] {
  const anchors = new Map<string, NewAnchor>()
  for (const row of rows) {
    const subscriberId = people.get(personOf(row))?.row.id
    const proof = proofOf(row)
    if (!proof || subscriberId === undefined) continue
    const name = nameOf(proof)
    const known = anchors.get(name)
    const purchaseId = purchases.get(row) ?? known?.purchaseId ?? null
    const anchorKey = known?.anchorKey ?? anchorKeyOf(proof)
    const { store } = row
    const state = { state: 'PENDING', attempts: 0, error: null } as const
    anchors.set(name, { jobId, projectId, subscriberId, purchaseId, store, anchorKey, proof, ...state })
  }
  return [...anchors.values()]
}

/** Identifies a proof within its job. */
const anchorKeyOf = (proof: ImportProof): string => `${proof.kind}:${sha256Hex(textOf(proof)).slice(0, 40)}`

function textOf(proof: ImportProof): string {
  if (proof.kind === 'RECEIPT') return proof.jws
  return proof.kind === 'PURCHASE_TOKEN' ? proof.token : proof.id
}

/** A later row may bring the purchase that an earlier one could not make. */
async function insertAnchors(tx: Tx, anchors: readonly NewAnchor[]): Promise<void> {
  await insertMany(tx, anchors, {
    name: 'importAnchors.insertMany',
    build: ({ db, tables: { importAnchors: a } }, values) =>
      db
        .insert(a)
        .values(values)
        .onConflictDoUpdate({
          target: [a.jobId, a.anchorKey],
          set: { purchaseId: sql`coalesce(${a.purchaseId}, excluded.purchase_id)` },
        })
        .prepare(),
  })
}
