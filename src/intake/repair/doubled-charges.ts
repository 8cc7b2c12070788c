import type { Handle } from '../../base/db/handle'
import { type JsonInteger, toJsonInteger } from '../../base/lib/int64'
import { findGrants, type LedgerRow } from '../../people/currencies/service'
import { nthReference } from '../../people/purchases/grant-plan'
import { doubledBookings, possibleReferences } from '../../people/purchases/grant-references'
import { transactionLines } from '../../people/purchases/lines'
import { listObservationsOf } from '../../people/purchases/many-queries'
import { listByIds } from '../../people/purchases/queries'
import { replacedPeriod } from '../../people/purchases/records'
import type { ProjectState } from '../../projects/project/state'
import { readBooked } from '../recording/grant-booking'
import { isChain } from './former-charges'

/** What copies of a charge have granted besides its first grant. */
export async function doubledOfCharges(
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

/** A grant of currency besides the first one of the same purchase. */
export interface DoubledCredit {
  purchaseId: string
  /** Who got it, as the ledger has it. */
  subscriberId: string
  currency: string
  amount: JsonInteger
  /** How the ledger names the grant. */
  reference: string
}

export type Catalogued = Pick<ProjectState, 'id' | 'catalog'>

export function toCredit({ catalog }: Catalogued, purchaseId: string, entry: LedgerRow): DoubledCredit {
  const { subscriberId, currencyId, amount, grantReference } = entry
  const currency = catalog.currencies.get(currencyId)?.code ?? currencyId
  return { purchaseId, subscriberId, currency, amount: toJsonInteger(amount), reference: grantReference ?? '' }
}
