import type { Tx } from '../context'
import {
  balancesByCode,
  bookGrant,
  clawBack,
  currencyEvent,
  findGrants,
  type LedgerRow,
  type TakenBack,
} from '../currencies/service'
import type { EventCause } from '../events/model'
import { type EventDraft, recordEvents } from '../events/service'
import type { ProjectState } from '../projects/state'
import type { SubscriberRow } from '../subscribers/service'
import { clawbackCandidates, currencyGrants, type GrantSource, unjustifiedReferences } from './grants'
import type { TransactionLine } from './model'
import type { PurchaseRow } from './queries'

/**
 * Books the currency that the lines of a purchase grant and takes back what refunded or unjustified ones had granted
 * (wire 5.7); each reference counts once, whatever is repeated. Returns the owner's events; those of an earlier
 * owner whose balance was touched are written here.
 */
export async function bookGrants(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  purchase: PurchaseRow,
  lines: readonly TransactionLine[],
  cause: EventCause,
): Promise<EventDraft[]> {
  const source = toSource(project, purchase, lines)
  if (lines.every(({ storeProductId }) => source.rowsOf(storeProductId).length === 0)) return []
  const granted = await findGrants(tx, project, possibleReferences(purchase, lines))
  const entries = await bookMissing(tx, project, owner, purchase, source, granted)
  const taken = await takeBack(tx, project, source, [...granted, ...entries])
  const own = [...entries, ...taken.filter((back) => back.owner.id === owner.id).map(({ entry }) => entry)]
  for (const back of taken) if (back.owner.id !== owner.id) await tellFormerOwner(tx, project, back, purchase, cause)
  return own.map((entry) => currencyEvent(project, entry, purchase.environment))
}

function toSource({ catalog }: ProjectState, purchase: PurchaseRow, lines: readonly TransactionLine[]): GrantSource {
  const productOf = (storeProductId: string) =>
    catalog.productByIosId.get(storeProductId) ?? catalog.productByIdentifier.get(storeProductId)
  return {
    purchaseId: purchase.id,
    productType: purchase.fold.productType,
    lines,
    rowsOf: (storeProductId) => catalog.grantsByProduct.get(productOf(storeProductId)?.id ?? '') ?? [],
  }
}

/** Every reference that lines of this purchase could ever have granted under. */
function possibleReferences({ id }: PurchaseRow, lines: readonly TransactionLine[]): string[] {
  const own = lines.flatMap(({ storeTransactionId }) => [`renewal:${storeTransactionId}`, `txn:${storeTransactionId}`])
  return [...new Set([`purchase:${id}`, ...own])]
}

async function bookMissing(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  purchase: PurchaseRow,
  source: GrantSource,
  granted: readonly LedgerRow[],
): Promise<LedgerRow[]> {
  const entries: LedgerRow[] = []
  for (const { currencyId, amount, reference } of currencyGrants(source)) {
    if (granted.some((row) => row.grantReference === reference && row.currencyId === currencyId)) continue
    const order = { project, subscriberId: owner.id, currencyId, amount, reference }
    const entry = await bookGrant(tx, { ...order, referenceType: 'purchase', referenceId: purchase.id })
    if (entry) entries.push(entry)
  }
  return entries
}

async function takeBack(
  tx: Tx,
  project: ProjectState,
  source: GrantSource,
  granted: readonly LedgerRow[],
): Promise<TakenBack[]> {
  const references = granted.flatMap(({ grantReference }) => grantReference ?? [])
  const taken: TakenBack[] = []
  for (const { reference } of clawbackCandidates(source))
    if (references.includes(reference)) taken.push(...(await clawBack(tx, project, { reference })))
  for (const reference of unjustifiedReferences(source, [...new Set(references)]))
    taken.push(...(await clawBack(tx, project, { reference, mode: 'full' })))
  return taken
}

async function tellFormerOwner(
  tx: Tx,
  project: ProjectState,
  { entry, owner }: TakenBack,
  { environment }: PurchaseRow,
  cause: EventCause,
): Promise<void> {
  const balances = await balancesByCode(tx, project, owner.id)
  const code = project.catalog.currencies.get(entry.currencyId)?.code ?? entry.currencyId
  const before = { access: owner.toldAccess, balances: { ...balances, [code]: entry.balance - entry.amount } }
  const subject = { id: owner.id, projectId: project.id, appUserId: owner.appUserId }
  await recordEvents(tx, { subject, cause, before, after: { access: owner.toldAccess, balances } }, [
    currencyEvent(project, entry, environment),
  ])
}
