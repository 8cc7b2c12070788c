import type { FunnelDocument, GivenSettings } from '../../core/funnel/model'
import { isObject } from '../../core/funnel/reading'
import { givenSettings } from '../../core/funnel/settings-form'
import type { Fault } from '../../core/text/fault'
import type { CatalogSnapshot } from '../../projects/catalog/snapshot'
import { type OfferingView, toOfferingView } from '../../projects/catalog/wire'

/** A funnel as it is sent, without the locale that is chosen for the caller. */
export interface PublishedFunnel {
  id: string
  slug: string
  name: string
  versionNo: number
  configFormatVersion: number
  pages: FunnelDocument['pages']
  theme: FunnelDocument['theme']
  settings: GivenSettings
  defaultLocale: string
  locales: readonly string[]
  offering: OfferingView | null
}

export interface PublishedRow extends Pick<PublishedFunnel, 'id' | 'slug' | 'name' | 'versionNo'> {
  document: FunnelDocument
}

/** Compiles published funnels, by id. A funnel whose document is broken is left out and reported. */
export function compilePublished(
  rows: readonly PublishedRow[],
  catalog: CatalogSnapshot,
): { funnels: Map<string, PublishedFunnel>; faults: (Fault & { id: string })[] } {
  const funnels = new Map<string, PublishedFunnel>()
  const faults: (Fault & { id: string })[] = []
  for (const row of rows)
    if (isWhole(row.document)) funnels.set(row.id, toPublished(row, catalog))
    else faults.push({ id: row.id, path: 'document', message: 'is no funnel document' })
  return { funnels, faults }
}

/** The stored document may have been edited by hand. */
function isWhole(document: unknown): boolean {
  if (!isObject(document)) return false
  const { configFormatVersion, pages, theme, settings, defaultLocale, locales } = document
  const isText = (value: unknown) => typeof value === 'string'
  return (
    Number.isInteger(configFormatVersion) &&
    Array.isArray(pages) &&
    Array.isArray(locales) &&
    pages.every(isObject) &&
    locales.every(isText) &&
    isText(defaultLocale) &&
    isObject(theme) &&
    isObject(settings)
  )
}

function toPublished({ id, slug, name, versionNo, document }: PublishedRow, catalog: CatalogSnapshot): PublishedFunnel {
  const { configFormatVersion, pages, theme, settings, defaultLocale, locales } = document
  const offering = catalog.offerings.find((candidate) => candidate.id === settings.offeringId) ?? null
  return {
    id,
    slug,
    name,
    versionNo,
    configFormatVersion,
    pages,
    theme,
    settings: givenSettings(settings, offering?.identifier ?? null),
    defaultLocale,
    locales,
    offering: offering && toOfferingView(catalog, offering),
  }
}
