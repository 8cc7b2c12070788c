/** An entry of the ledger, by what tells whether it is a grant of a purchase or takes one back. */
export interface GrantEntry {
  currencyId: string
  grantReference: string | null
}

/** What a purchase grants once, as the ledger names it (wire 5.7). */
export const grantOf = (purchaseId: string): string => `purchase:${purchaseId}`

/** What takes it back. */
export const returnOf = (purchaseId: string): string => `refund:${grantOf(purchaseId)}`

/**
 * The grants that rows which are one purchase have given besides the first, and that nothing has taken back. The grant of
 * the row that stayed is the first, else that of the row with the lowest id.
 */
export function doubledGrants<Entry extends GrantEntry>(
  { survivorId, mergedIds }: { survivorId: string; mergedIds: readonly string[] },
  entries: readonly Entry[],
): Entry[] {
  const ids = [survivorId, ...mergedIds.toSorted()]
  const byCurrency = Map.groupBy(entries, ({ currencyId }) => currencyId)
  return [...byCurrency.values()].flatMap((own) => {
    const find = (name: string) => own.find(({ grantReference }) => grantReference === name)
    const standing = ids.filter((id) => !find(returnOf(id))).flatMap((id) => find(grantOf(id)) ?? [])
    return standing.slice(1)
  })
}
