import { toJsonInteger } from '../../base/lib/int64'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { EventDraft } from '../events/service'
import type { LedgerRow } from './queries'

/** The event of a ledger entry (wire 5.9). The code that books an entry writes exactly one, in the same transaction. */
export function currencyEvent(
  { catalog }: ProjectState,
  entry: LedgerRow,
  environment: PurchaseEnvironment = 'PRODUCTION',
): EventDraft {
  const { currencyId, amount, balance, type, referenceType, referenceId, createdAt } = entry
  const code = catalog.currencies.get(currencyId)?.code ?? currencyId
  const numbers = { amount: toJsonInteger(amount), balance: toJsonInteger(balance) }
  const data = { code, ...numbers, ledgerType: type, referenceType, referenceId }
  return { type: 'currency.transaction', occurredAt: createdAt, environment, data }
}
