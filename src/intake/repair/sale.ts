import type { ObservationRow, PurchaseRow } from '../../people/purchases/queries'

/** The rows of one sale, with what is recorded of each. */
export interface Sale {
  rows: ReadonlyMap<string, PurchaseRow>
  observations: ReadonlyMap<string, readonly ObservationRow[]>
}

export function rowOf({ rows }: Sale, id: string): PurchaseRow {
  const row = rows.get(id)
  if (!row) throw new Error(`purchase ${id} vanished under its lock`)
  return row
}

export const observationsOf = ({ observations }: Sale, id: string): readonly ObservationRow[] =>
  observations.get(id) ?? []
