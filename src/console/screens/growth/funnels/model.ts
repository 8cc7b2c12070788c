import type { FunnelContent, FunnelPage, FunnelTheme, GivenSettings } from '../../../../core/funnel/model'
import type { Schemas } from '../../../api/schemas'

export type FunnelView = Schemas['FunnelOfProject']

/** A funnel as it is edited: the draft with its names. */
export interface FunnelState {
  slug: string
  name: string
  pages: readonly FunnelPage[]
  theme: FunnelTheme
  settings: GivenSettings
  defaultLocale: string
  locales: readonly string[]
}

/** The server has read every draft with the rules of core, so these are their types. */
export const toState = ({ slug, name, draft, defaultLocale, locales }: FunnelView): FunnelState => ({
  slug,
  name,
  pages: draft.pages as FunnelPage[],
  theme: draft.theme as FunnelTheme,
  settings: draft.settings as GivenSettings,
  defaultLocale,
  locales,
})

export const toBody = ({ pages, theme, settings, locales, ...rest }: FunnelState): Schemas['FunnelChange'] => ({
  ...rest,
  pages: [...pages],
  theme: { ...theme },
  settings: { ...settings },
  locales: [...locales],
})

/** What the rules of core read: they look at no offering. */
export const toContent = ({ pages, theme, settings, defaultLocale, locales }: FunnelState): FunnelContent => {
  const { offering: _offering, ...options } = settings
  return { pages, theme, settings: options, defaultLocale, locales }
}

/** A version of before as the state that it would be. A version has the offering by its id. */
export function stateOf(
  names: Pick<FunnelState, 'slug' | 'name'>,
  { pages, theme, settings, defaultLocale, locales }: FunnelContent,
  offeringName: (id: string) => string,
): FunnelState {
  const { offeringId, ...options } = settings
  const given = { ...options, ...(offeringId !== undefined && { offering: offeringName(offeringId) }) }
  return { slug: names.slug, name: names.name, pages, theme, settings: given, defaultLocale, locales }
}
