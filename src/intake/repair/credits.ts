import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { toJsonInteger } from '../../base/lib/int64'
import { balancesByCode, clawBack, currencyEvent, findGrants } from '../../people/currencies/service'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import type { EventCause } from '../../people/events/model'
import { type JoinedId, listJoinedWith } from '../../people/purchases/joined'
import { findPurchaseById } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import { projectIn } from '../relink/current-project'
import { listCopied } from './charge-queries'
import { type Catalogued, type DoubledCredit, doubledOfCharges, toCredit } from './doubled-charges'
import { doubledGrants, grantOf, returnOf } from './doubled-grants'

const PAGE = 200

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

/** What rows that became one purchase have granted besides its first grant. */
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
