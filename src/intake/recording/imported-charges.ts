import type { Handle } from '../../base/db/handle'
import { listWithCauses, type ObservationRow } from '../../people/purchases/queries'

export type Sourced = Pick<ObservationRow, 'payload' | 'cause'>

const isImported = ({ cause }: Sourced): boolean => cause.kind === 'IMPORT'

/** Whether everything that is known of a purchase was imported. */
export const isImportedHistory = (observations: readonly Sourced[]): boolean => observations.every(isImported)

/**
 * Store transactions that became known by an import. A later report of the store about one of them changes nothing of
 * that. `observations`: the first recorded first.
 */
export function importedCharges(observations: readonly Sourced[]): Set<string> {
  const first = new Map<string, boolean>()
  for (const one of observations) {
    const id = one.payload.kind === 'REPORT' ? one.payload.transaction?.transactionId : undefined
    if (id !== undefined && !first.has(id)) first.set(id, isImported(one))
  }
  return new Set([...first].filter(([, imported]) => imported).map(([id]) => id))
}

/** Those of the store transactions that did not become known by an import. Imported history grants nothing. */
export async function withoutImported(
  handle: Handle,
  purchaseId: string,
  storeTransactionIds: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  if (storeTransactionIds.size === 0) return storeTransactionIds
  return storeTransactionIds.difference(importedCharges(await listWithCauses(handle, purchaseId)))
}
