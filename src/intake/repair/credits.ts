import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { type JsonInteger, toJsonInteger } from '../../base/lib/int64'
import { balancesByCode, clawBack, currencyEvent, findGrants, type LedgerRow } from '../../people/currencies/service'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import type { EventCause } from '../../people/events/model'
import { type JoinedId, listJoined, listJoinedWith } from '../../people/purchases/joined'
import { findPurchaseById } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import { projectIn } from '../relink/current-project'
import { doubledGrants, grantOf, returnOf } from './doubled-grants'

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

/** The doubled grants of all purchases of a project that several rows became, in pages. */
export async function* doubledCredits(handle: Handle, project: Catalogued): AsyncGenerator<DoubledCredit[]> {
  for (let after = ''; ; ) {
    const page = await listJoined(handle, project.id, after, PAGE)
    const last = page.at(-1)
    if (!last) return
    const names = new Set(page.map(({ id }) => grantOf(id)))
    const found = await doubledOf(handle, project, [...new Set(page.map(({ purchaseId }) => purchaseId))])
    yield found.filter(({ reference }) => names.has(reference))
    after = last.id
  }
}

/** The doubled grants of some purchases. */
export async function doubledOf(
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
