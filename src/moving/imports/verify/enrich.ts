import type { Tx } from '../../../base/context'
import { listBySubscribers, type PurchaseRow } from '../../../people/purchases/queries'
import { listErasedAmong } from '../../../people/subscribers/erased-keys'
import { findByDevice, type SubscriberRow } from '../../../people/subscribers/service'
import type { ProjectState } from '../../../projects/project/state'
import { splitAndroidId } from '../../../stores/android/purchase-id'
import { findUnknown } from '../known-products'
import type { BatchResult } from '../model'
import type { ImportJobRow } from '../queries'
import type { ImportRow, RowFault } from '../row'
import type { ImportProof } from '../tables'
import { anchorKeyOf } from './anchor-key'
import { insertAnchors, listByLabels, type NewAnchor } from './enrich-queries'

/**
 * Stores the Android purchase tokens of a second pass, one anchor for each person and token. Google's answer says later
 * which purchase a token is of: its order `GPA.1..2` belongs to the chain `GPA.1`, and then the token becomes the key of
 * that chain. Where the file of the history had no orders, the person's one purchase of the product is meant. Creates
 * nobody and nothing by itself.
 */
export async function enrichTokens(
  tx: Tx,
  project: ProjectState,
  job: ImportJobRow,
  rows: readonly ImportRow[],
): Promise<BatchResult> {
  const people = await lockedPeople(tx, project.id, rows)
  const erased = await namesOfErased(tx, project.id, rows, people)
  const owned = Map.groupBy(
    await listBySubscribers(tx, [...new Set([...people.values()].map(({ id }) => id))]),
    ({ subscriberId }) => subscriberId,
  )
  const faults: RowFault[] = []
  const anchors = new Map<string, NewAnchor>()
  let usable = 0
  for (const row of rows) {
    const person = people.get(row.subscriberExternalId)
    const fault = faultOf(job, row, person, erased)
    if (fault) faults.push(fault)
    if (fault || !person || row.purchaseToken === null) continue
    usable += 1
    const anchor = toAnchor(job, person, row, row.purchaseToken, owned.get(person.id) ?? [])
    if (!anchors.has(anchor.anchorKey)) anchors.set(anchor.anchorKey, anchor)
  }
  const added = await insertAnchors(tx, [...anchors.values()])
  const none = { subscribersNew: 0, purchasesNew: 0, purchasesUpdated: 0 }
  return {
    ...none,
    skipped: usable - added,
    unknownProducts: findUnknown(project, 'ANDROID_TOKEN_ENRICHMENT', rows),
    faults,
  }
}

/** Under their locks, where transactions run at once: one may be erased meanwhile. */
async function lockedPeople(
  tx: Tx,
  projectId: string,
  rows: readonly ImportRow[],
): Promise<Map<string, SubscriberRow>> {
  const people = await findPeople(tx, projectId, rows)
  if (!tx.needsLocks) return people
  const ids = [...new Set([...people.values()].map(({ id }) => id))]
  await Promise.all(ids.sort().map((id) => tx.lock(`subscriber:${id}`)))
  return findPeople(tx, projectId, rows)
}

/** Ids in the rows that belonged to people who were erased since. A finding does not quote them. */
async function namesOfErased(
  tx: Tx,
  projectId: string,
  rows: readonly ImportRow[],
  people: ReadonlyMap<string, SubscriberRow>,
): Promise<ReadonlySet<string>> {
  const unknown = new Set(rows.map((row) => row.subscriberExternalId).filter((label) => !people.has(label)))
  const keys = [...unknown].flatMap((value) => (['LABEL', 'DEVICE'] as const).map((kind) => ({ kind, value })))
  return new Set((await listErasedAmong(tx, projectId, keys)).map(({ value }) => value))
}

/** The people of the rows by their label; one who was imported without a device is also found by the key of the import. */
async function findPeople(tx: Tx, projectId: string, rows: readonly ImportRow[]): Promise<Map<string, SubscriberRow>> {
  const labels = [...new Set(rows.map(({ subscriberExternalId }) => subscriberExternalId))]
  const people = await listByLabels(tx, projectId, labels)
  for (const label of labels) {
    if (people.has(label)) continue
    const row = (await findByDevice(tx, projectId, `import:${label}`)) ?? (await findByDevice(tx, projectId, label))
    if (row && row.erasedAt === null) people.set(label, row)
  }
  return people
}

function faultOf(
  job: ImportJobRow,
  row: ImportRow,
  person: SubscriberRow | undefined,
  erased: ReadonlySet<string>,
): RowFault | null {
  const { line, subscriberExternalId: label } = row
  const columns = job.mapping?.columns ?? {}
  if (!person) {
    const message = erased.has(label)
      ? 'the person of this line was erased'
      : `nobody in this project has the id ${label}; import the history first`
    return { line, column: columns.subscriberExternalId ?? null, message }
  }
  if (row.purchaseToken !== null) return null
  return { line, column: columns.purchaseToken ?? null, message: 'the purchase token is missing' }
}

function toAnchor(
  { id: jobId, projectId }: ImportJobRow,
  { id: subscriberId }: SubscriberRow,
  { productIdentifier: product, isSubscription }: ImportRow,
  token: string,
  owned: readonly PurchaseRow[],
): NewAnchor {
  const proof: ImportProof = { kind: 'PURCHASE_TOKEN', token, product, isSubscription }
  return {
    jobId,
    projectId,
    subscriberId,
    purchaseId: purchaseFor(owned, token, product)?.id ?? null,
    store: 'ANDROID_STORE',
    anchorKey: anchorKeyOf(subscriberId, proof),
    proof,
    state: 'PENDING',
    attempts: 0,
    error: null,
  }
}

/** The purchase of the token where it is recorded, else the only one of the product. */
function purchaseFor(owned: readonly PurchaseRow[], token: string, product: string | null): PurchaseRow | null {
  const android = owned.filter(({ store }) => store === 'ANDROID_STORE')
  const held = android.find(({ chainKey }) => chainKey === token)
  if (held || product === null) return held ?? null
  const { productId } = splitAndroidId(product)
  const [first = null, ...others] = android.filter(
    ({ fold }) => splitAndroidId(fold.storeProductId).productId === productId,
  )
  return others.length === 0 ? first : null
}
