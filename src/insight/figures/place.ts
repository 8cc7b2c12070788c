import type { RecordedPurchase } from '../../intake/recording/on-recorded'
import { contextGroups } from './context-groups'
import type { PlacedEntry } from './diff'
import { personGroups } from './person-groups'
import type { EntryRow } from './queries'

/** What figures are grouped by, as it was when the entry was recorded. */
export type Groups = Pick<EntryRow, 'product' | 'country' | 'platform' | 'offering' | 'placement' | 'variant'>

/**
 * What counted in a group once also leaves from it: a purchase keeps the country and the platform of its first entries.
 * When the store's word came before the receipt that has the presented context, its entries move to what that names.
 */
export function placeOf(
  { project, purchase, owner }: RecordedPurchase,
  held: readonly PlacedEntry<Groups>[],
): Omit<Groups, 'product'> {
  const shown = contextGroups(purchase.presentedContext, project)
  const [first] = held
  if (!first) return { ...personGroups(owner?.attributes ?? {}, purchase.store), ...shown }
  const { country, platform, offering, placement, variant } = first.groups
  const known = { offering, placement, variant }
  return { country, platform, ...(Object.values(known).every((name) => name === null) ? shown : known) }
}
