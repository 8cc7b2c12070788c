import { canonicalJson } from '../../base/lib/hash'
import type { FunnelContent } from '../../core/funnel/model'

/** Whether two contents are the same, so that publishing the second after the first changes nothing. */
export const isSameContent = (a: FunnelContent, b: FunnelContent): boolean =>
  canonicalJson(withoutFormat(a)) === canonicalJson(withoutFormat(b))

const withoutFormat = ({ pages, theme, settings, defaultLocale, locales }: FunnelContent): FunnelContent => ({
  pages,
  theme,
  settings,
  defaultLocale,
  locales,
})
