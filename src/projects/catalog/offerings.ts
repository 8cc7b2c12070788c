import type { CatalogSnapshot, Offering } from './snapshot'

/** The offering that is used when a call names none; null when the project has no default offering. */
export const findDefaultOffering = (catalog: CatalogSnapshot): Offering | null =>
  catalog.offerings.find(({ isDefault }) => isDefault) ?? null

/** The offering with that identifier. `default` finds the default one, unless one has that identifier (wire 2.11). */
export function findOffering(catalog: CatalogSnapshot, identifier: string): Offering | null {
  const named = catalog.offerings.find((offering) => offering.identifier === identifier)
  if (named) return named
  return identifier === 'default' ? findDefaultOffering(catalog) : null
}
