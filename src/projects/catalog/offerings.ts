import type { CatalogSnapshot, Offering } from './snapshot'

/** The one offering that is shown when none is named, or null while a project has none. */
export const findDefaultOffering = (catalog: CatalogSnapshot): Offering | null =>
  catalog.offerings.find(({ isDefault }) => isDefault) ?? null

/** The offering of that identifier; `default` is the default offering unless one is really named so (wire 2.11). */
export function findOffering(catalog: CatalogSnapshot, identifier: string): Offering | null {
  const named = catalog.offerings.find((offering) => offering.identifier === identifier)
  if (named) return named
  return identifier === 'default' ? findDefaultOffering(catalog) : null
}
