import { type JsonInteger, toJsonInteger } from '../../base/lib/int64'
import type { LedgerRow } from '../../people/currencies/service'
import type { ProjectState } from '../../projects/project/state'

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

export type Catalogued = Pick<ProjectState, 'id' | 'catalog'>

export function toCredit({ catalog }: Catalogued, purchaseId: string, entry: LedgerRow): DoubledCredit {
  const { subscriberId, currencyId, amount, grantReference } = entry
  const currency = catalog.currencies.get(currencyId)?.code ?? currencyId
  return { purchaseId, subscriberId, currency, amount: toJsonInteger(amount), reference: grantReference ?? '' }
}
