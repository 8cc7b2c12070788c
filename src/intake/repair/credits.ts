import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { type JsonInteger, toJsonInteger } from '../../base/lib/int64'
import { balancesByCode, clawBack, currencyEvent, findGrants, type LedgerRow } from '../../people/currencies/service'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import type { EventCause } from '../../people/events/model'
import { nthReference } from '../../people/purchases/grant-plan'
import { doubledBookings, possibleReferences } from '../../people/purchases/grant-references'
import { type JoinedId, listJoinedWith } from '../../people/purchases/joined'
import { transactionLines } from '../../people/purchases/lines'
import { listObservationsOf } from '../../people/purchases/many-queries'
import { findPurchaseById, listByIds } from '../../people/purchases/queries'
import { replacedPeriod } from '../../people/purchases/records'
import type { ProjectState } from '../../projects/project/state'
import { readBooked } from '../recording/grant-booking'
import { projectIn } from '../relink/current-project'
import { listCopied } from './charge-queries'
import { doubledGrants, grantOf, returnOf } from './doubled-grants'
import { isChain } from './is-chain'

/** A grant of currency beside the first one of the same purchase. */
export interface DoubledCredit {
  purchaseId: string
  /** Who got it, as the ledger has it. */
  subscriberId: string
  currency: string
  amount: JsonInteger
  /** How the ledger names the grant. */
  reference: string
}

const PAGE = 200

type Catalogued = Pick<ProjectState, 'id' | 'catalog'>

/** The doubled grants of all purchases of a project that several rows became or that have copies of a charge, in pages. */
export async function* doubledCredits(handle: Handle, project: Catalogued): AsyncGenerator<DoubledCredit[]> {
  if (project.catalog.currencies.size === 0) return
  for (let after = ''; ; ) {
    const page = await listCopied(handle, project.id, after, PAGE)
    yield await doubledOf(handle, project, page)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last
  }
}

/** The doubled grants of some purchases. */
export const doubledOf = async (
  handle: Handle,
  project: Catalogued,
  purchaseIds: readonly string[],
): Promise<DoubledCredit[]> => [
  ...(await doubledOfRows(handle, project, purchaseIds)),
  ...(await doubledOfCharges(handle, project, purchaseIds)),
]

/** What copies of a charge have granted beside its first grant. */
async function doubledOfCharges(
  handle: Handle,
  project: Catalogued,
  purchaseIds: readonly string[],
): Promise<DoubledCredit[]> {
  if (project.catalog.currencies.size === 0) return []
  const found: DoubledCredit[] = []
  const chains = (await listByIds(handle, project.id, purchaseIds)).filter(isChain)
  const observations = await listObservationsOf(
    handle,
    chains.map(({ id }) => id),
  )
  for (const { id, chargeScope, fold } of chains) {
    const told = (observations.get(id) ?? []).map(({ payload }) => payload)
    const lines = transactionLines(told, fold.productType, replacedPeriod(told))
    if (lines.every(({ aliases }) => !aliases)) continue
    const source = { purchaseId: id, productType: fold.productType, chargeScope, lines }
    const doubled = doubledBookings(source, await readBooked(handle, project, possibleReferences(source)))
    const names = doubled.map(({ reference, currencyId, number }) => ({
      name: nthReference(reference, number),
      currencyId,
    }))
    const isNamed = (entry: LedgerRow) =>
      names.some(({ name, currencyId }) => name === entry.grantReference && currencyId === entry.currencyId)
    const entries = await findGrants(
      handle,
      project,
      names.map(({ name }) => name),
    )
    found.push(...entries.filter(isNamed).map((entry) => toCredit(project, id, entry)))
  }
  return found
}

/** What rows that became one purchase have granted beside its first grant. */
async function doubledOfRows(
  handle: Handle,
  project: Catalogued,
  purchaseIds: readonly string[],
): Promise<DoubledCredit[]> {
  if (project.catalog.currencies.size === 0) return []
  const joined = await listJoinedWith(handle, purchaseIds)
  const ids = [...new Set(joined.flatMap(({ id, purchaseId }) => [id, purchaseId]))]
  const entries = await findGrants(
    handle,
    project,
    ids.flatMap((id) => [grantOf(id), returnOf(id)]),
  )
  return [...Map.groupBy(joined, ({ purchaseId }) => purchaseId)].flatMap(([survivorId, own]) =>
    doubledGrants({ survivorId, mergedIds: own.map(toId) }, entries).map((entry) =>
      toCredit(project, survivorId, entry),
    ),
  )
}

const toId = ({ id }: JoinedId): string => id

function toCredit({ catalog }: Catalogued, purchaseId: string, entry: LedgerRow): DoubledCredit {
  const { subscriberId, currencyId, amount, grantReference } = entry
  const currency = catalog.currencies.get(currencyId)?.code ?? currencyId
  return { purchaseId, subscriberId, currency, amount: toJsonInteger(amount), reference: grantReference ?? '' }
}

/**
 * Takes a doubled grant back from whoever has it now, no more than they still have. Returns whether it was: false when
 * something else took it back before.
 */
export const takeDoubled = (
  ctx: Context,
  known: ProjectState,
  { purchaseId, currency, reference }: DoubledCredit,
  cause: EventCause,
): Promise<boolean> =>
  ctx.write(async (tx) => {
    const project = await projectIn(tx, known)
    const still = project ? await doubledOf(tx, project, [purchaseId]) : []
    const isDoubled = still.some((one) => one.reference === reference && one.currency === currency)
    return project !== null && isDoubled && takeGrant(tx, project, { purchaseId, currency, reference }, cause)
  })

async function takeGrant(
  tx: Tx,
  project: ProjectState,
  { purchaseId, currency, reference }: Pick<DoubledCredit, 'purchaseId' | 'currency' | 'reference'>,
  cause: EventCause,
): Promise<boolean> {
  const currencyId = [...project.catalog.currencies.values()].find(({ code }) => code === currency)?.id
  const purchase = await findPurchaseById(tx, project.id, purchaseId)
  if (currencyId === undefined || !purchase) return false
  const taken = await clawBack(tx, project, { reference, currencyId, mode: 'available' })
  for (const { entry, owner } of taken) {
    const after = await balancesByCode(tx, project, owner.id)
    const before = { ...after, [currency]: toJsonInteger(entry.balance - entry.amount) }
    const drafts = [currencyEvent(project, entry, purchase.environment)]
    await recordSubscriberEvents(tx, project, owner, { cause, drafts, balances: { before, after } })
  }
  return taken.length > 0
}
