import type { Tx } from '../../base/context'
import type { AuditEntry } from '../audit/audit'
import type { Edit, ProjectActor } from '../project/edit'

/** Products that an edit wrote, by the entries of the edit, and who made it. */
export interface WrittenProducts {
  by: ProjectActor
  entries: readonly AuditEntry[]
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Runs in the transaction of the edit. Returns how many purchases wait for a store id of these products. */
    onProductsWritten: (tx: Tx, written: WrittenProducts) => Promise<number>
  }
}

/**
 * Brings in the purchases that were recorded before their product was in the catalogue: they get it in the background,
 * soon after the edit has committed. Call it once, after the last product of the edit was written. Returns how many
 * wait.
 */
export async function linkWaitingPurchases({ tx, entries }: Edit, by: ProjectActor): Promise<number> {
  const written = entries.filter(({ target, after }) => target.type === 'product' && after !== null)
  if (written.length === 0) return 0
  let count = 0
  for (const onProductsWritten of tx.hooks.onProductsWritten ?? [])
    count += await onProductsWritten(tx, { by, entries: written })
  return count
}
