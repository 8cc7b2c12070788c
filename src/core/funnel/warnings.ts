import { type Fault, faultAt } from '../text/fault'
import { contrastOf } from './contrast'
import { type Palette, palettesOf } from './default-theme'
import type { KnownFiles } from './files'
import type { FunnelContent, FunnelPage, ThemeColor } from './model'
import { exitsOf } from './publish'
import { assetsOf, blocksOf, pagesOf, textsOf } from './walk'

/** What a person should know before publishing; it does not prevent it (funnels 1 and 10). */
export const publishWarnings = (content: FunnelContent, hasTerms: boolean, files: KnownFiles): Fault[] => [
  ...unreached(content),
  ...missingLanguages(content),
  ...lowContrast(content),
  ...withoutAlternative(content, files),
  ...withoutLegalLine(content),
  ...(hasTerms ? [] : withoutTerms(content)),
]

function unreached({ pages }: FunnelContent): Fault[] {
  const exits = new Map(pages.map((page, index) => [page.id, exitsOf(page, index).map(([to]) => to)]))
  const reached = new Set<string>()
  const waiting = pages.slice(0, 1).map(({ id }) => id)
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue
    reached.add(id)
    waiting.push(...(exits.get(id) ?? []))
  }
  return pages.flatMap(({ id }, index) =>
    reached.has(id) ? [] : [faultAt(`pages[${index}]`, `${id}: no page leads to it`)],
  )
}

function missingLanguages(content: FunnelContent): Fault[] {
  const others = content.locales.filter((locale) => locale !== content.defaultLocale)
  return pagesOf(content)
    .flatMap(textsOf)
    .filter(([text]) => Object.keys(text).length > 0)
    .flatMap(([text, path]) => {
      const lacking = others.filter((locale) => !Object.hasOwn(text, locale))
      return lacking.length === 0
        ? []
        : [faultAt(path, `has no text in ${lacking.join(', ')}; visitors see the one in ${content.defaultLocale}`)]
    })
}

/** What must be legible on what (funnels 11). */
const PAIRS: readonly [ThemeColor, ThemeColor][] = [
  ['text', 'background'],
  ['text', 'surface'],
  ['muted', 'background'],
  ['muted', 'surface'],
  ['onAccent', 'accent'],
  ['danger', 'surface'],
  ['success', 'surface'],
]
const LEGIBLE = 4.5

function lowContrast({ theme }: FunnelContent): Fault[] {
  const { light, dark } = palettesOf(theme)
  return [...pairFaults(light, 'theme.colors'), ...(dark ? pairFaults(dark, 'theme.dark') : [])]
}

const pairFaults = (palette: Palette, path: string): Fault[] =>
  PAIRS.flatMap(([above, below]) => {
    const contrast = contrastOf(palette[above], palette[below])
    if (contrast >= LEGIBLE) return []
    return [faultAt(`${path}.${above}`, `has a contrast of ${contrast.toFixed(1)} on ${below}; text needs ${LEGIBLE}`)]
  })

const withoutAlternative = (content: FunnelContent, { assets }: KnownFiles): Fault[] =>
  assetsOf(content).flatMap(([{ asset, alt }, path]) =>
    (alt && Object.keys(alt).length > 0) || assets.get(asset)?.hasAlt
      ? []
      : [faultAt(path, 'has no alternative text for those who do not see it')],
  )

const withoutTerms = ({ settings, pages }: FunnelContent): Fault[] =>
  settings.requireTermsConsent === true && pages.some(({ type }) => type === 'payment')
    ? [
        faultAt(
          'settings.requireTermsConsent',
          'asks to agree to terms that no page shows; set termsUrl of the project',
        ),
      ]
    : []

const withoutLegalLine = (content: FunnelContent): Fault[] =>
  pagesOf(content).flatMap(([page, path]) => (showsPrices(page) && !hasLegalLine(page) ? [legalFault(path)] : []))

const legalFault = (path: string): Fault =>
  faultAt(`${path}.blocks`, 'shows prices without a legal line beside them; add a block of type legal')

const showsPrices = (page: FunnelPage): boolean =>
  blocksOf(page, '').some(([{ type }]) => type === 'plans' || type === 'checkout')
const hasLegalLine = (page: FunnelPage): boolean => blocksOf(page, '').some(([{ type }]) => type === 'legal')
