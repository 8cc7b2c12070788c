import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { toJsonInteger } from '../../base/lib/int64'
import {
  balancesByCode,
  bookGrant,
  clawBack,
  currencyEvent,
  findGrants,
  isCorrection,
  type LedgerRow,
  settlePart,
  type TakenBack,
} from '../../people/currencies/service'
import type { EventCause } from '../../people/events/model'
import { type EventDraft, recordEvents } from '../../people/events/service'
import { type BookedGrant, type GrantPlan, nthReference } from '../../people/purchases/grant-plan'
import { planBooked, possibleReferences } from '../../people/purchases/grant-references'
import { type CurrencyGrant, type GrantSource, haveReturns } from '../../people/purchases/grants'
import type { TransactionLine } from '../../people/purchases/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import { findStoreProduct } from '../../people/purchases/store-product'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'

/** The money lines of a purchase before and after a change. */
export interface LineChange {
  before: readonly TransactionLine[]
  after: readonly TransactionLine[]
  /** Store transactions whose lines were known, but without a product until now: what they grant is still due. */
  linked?: ReadonlySet<string>
}

/**
 * Books the currency that the lines of a purchase grant, and takes back what refunded or unjustified lines had granted
 * (wire 5.7). Each reference is booked once, even when the same change is processed again. Returns the events of the
 * owner. The events of an earlier owner whose balance changes are written here.
 */
export async function bookGrants(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  purchase: PurchaseRow,
  lines: LineChange,
  cause: EventCause,
): Promise<EventDraft[]> {
  const source = toSource(project, purchase, lines.after)
  // A refunded charge was perhaps granted by the catalogue of that time.
  if (!hasGrants(source) && !haveReturns(lines.before) && !haveReturns(lines.after)) return []
  const isLinked = ({ storeTransactionId }: CurrencyGrant) => lines.linked?.has(storeTransactionId) ?? false
  const booked = await readBooked(tx, project, possibleReferences(source))
  const done = await carryOut(tx, project, owner, purchase, planBooked(source, lines.before, booked, isLinked))
  const isOwn = (back: TakenBack) => back.owner.id === owner.id
  for (const back of done) if (!isOwn(back)) await recordFormerOwnerEvent(tx, project, back, purchase, cause)
  return done.filter(isOwn).map(({ entry }) => currencyEvent(project, entry, purchase.environment))
}

/** Whether the product of one of the money lines of a purchase grants currency. */
export const mayGrant = (project: ProjectState, purchase: PurchaseRow, lines: readonly TransactionLine[]): boolean =>
  hasGrants(toSource(project, purchase, lines))

const hasGrants = ({ lines, rowsOf }: GrantSource): boolean =>
  lines.some(({ storeProductId }) => rowsOf(storeProductId).length > 0)

function toSource({ catalog }: ProjectState, purchase: PurchaseRow, lines: readonly TransactionLine[]): GrantSource {
  return {
    purchaseId: purchase.id,
    productType: purchase.fold.productType,
    chargeScope: purchase.chargeScope,
    lines,
    rowsOf: (storeProductId) =>
      catalog.grantsByProduct.get(findStoreProduct(catalog, storeProductId, purchase.store)?.id ?? '') ?? [],
  }
}

/** The last grant of each reference and currency. The next number is read only where the last grant was taken back. */
export async function readBooked(
  handle: Handle,
  project: Pick<ProjectState, 'id' | 'catalog'>,
  references: readonly string[],
): Promise<BookedGrant[]> {
  let booked: BookedGrant[] = []
  let open = references
  for (let number = 1; open.length > 0; number++) {
    const round = await readRound(handle, project, open, number)
    const isSame = (a: BookedGrant, b: BookedGrant) => a.reference === b.reference && a.currencyId === b.currencyId
    booked = [...booked.filter((earlier) => !round.some((later) => isSame(earlier, later))), ...round]
    open = [...new Set(round.filter(({ taken }) => taken !== null).map(({ reference }) => reference))]
  }
  return booked
}

async function readRound(
  handle: Handle,
  project: Pick<ProjectState, 'id' | 'catalog'>,
  references: readonly string[],
  number: number,
): Promise<BookedGrant[]> {
  const baseOf = new Map(references.map((reference) => [nthReference(reference, number), reference]))
  const names = [...baseOf.keys()].flatMap((name) => [name, takenName(name)])
  const rows = await findGrants(handle, project, names)
  return rows.flatMap((row) => {
    const name = row.grantReference ?? ''
    const reference = baseOf.get(name)
    return reference === undefined ? [] : [toBooked(row, reference, number, rows)]
  })
}

const takenName = (name: string): string => `refund:${name}`

function toBooked(
  { currencyId, amount, grantReference }: LedgerRow,
  reference: string,
  number: number,
  rows: readonly LedgerRow[],
): BookedGrant {
  const isBack = (row: LedgerRow) =>
    row.currencyId === currencyId && row.grantReference === takenName(grantReference ?? '')
  const back = rows.find(isBack)
  const taken = back ? 0n - back.amount : null
  return { reference, currencyId, number, amount, taken, isCorrected: back !== undefined && isCorrection(back) }
}

/** Executes the plan. Returns every ledger entry written, in order, each with its owner. */
async function carryOut(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  { id }: PurchaseRow,
  { lessened, wrong, due, refunded, parts }: GrantPlan,
): Promise<TakenBack[]> {
  const done = await settleParts(tx, project, lessened)
  for (const reference of wrong)
    done.push(...(await clawBack(tx, project, { reference, mode: 'full', isCorrection: true })))
  for (const { currencyId, amount, reference, number } of due) {
    const order = { project, subscriberId: owner.id, currencyId, amount, referenceType: 'purchase', referenceId: id }
    const entry = await bookGrant(tx, { ...order, reference: nthReference(reference, number) })
    if (entry) done.push({ entry, owner })
  }
  for (const reference of refunded) done.push(...(await clawBack(tx, project, { reference })))
  return [...done, ...(await settleParts(tx, project, parts))]
}

async function settleParts(tx: Tx, project: ProjectState, parts: GrantPlan['parts']): Promise<TakenBack[]> {
  const done: TakenBack[] = []
  for (const part of parts) {
    const back = await settlePart(tx, project, part)
    if (back) done.push(back)
  }
  return done
}

async function recordFormerOwnerEvent(
  tx: Tx,
  project: ProjectState,
  { entry, owner }: TakenBack,
  { environment }: PurchaseRow,
  cause: EventCause,
): Promise<void> {
  const balances = await balancesByCode(tx, project, owner.id)
  const code = project.catalog.currencies.get(entry.currencyId)?.code ?? entry.currencyId
  const at = (balance: bigint) => ({
    access: owner.toldAccess,
    balances: { ...balances, [code]: toJsonInteger(balance) },
  })
  const images = { before: at(entry.balance - entry.amount), after: at(entry.balance) }
  const subject = { id: owner.id, projectId: project.id, appUserId: owner.appUserId }
  await recordEvents(tx, { subject, cause, ...images }, [currencyEvent(project, entry, environment)])
}
