import { canonicalJson } from '../../../base/lib/hash'
import type { KnownFiles } from '../../../core/funnel/files'
import { MAX_LOCALES } from '../../../core/funnel/limits'
import { isLocale } from '../../../core/funnel/locale'
import type { FunnelField, FunnelPage, FunnelTheme, GivenSettings } from '../../../core/funnel/model'
import { type Content, contentByName, sortDeep, unless, withoutEmpty } from '../../../core/project-file/content'
import { label } from '../../../projects/project-file/fields'
import { type Pair, sectionKey } from '../../../projects/project-file/model'
import { bool, checkedText, list, type Members, type Read, type Spot } from '../../../projects/project-file/reader'
import type { SavedFunnel } from '../service'
import { inlinePages, pagesOfFile, settings, theme } from './document'

export interface FunnelState {
  name: string
  defaultLocale: string
  locales: string[]
  /** `current`: the draft is published. `older`: an older version is published. `no`: nothing is published. */
  published: 'no' | 'older' | 'current'
  theme: FunnelTheme
  settings: GivenSettings
  pages: FunnelPage[]
}

/** `publish` publishes the draft. Without it, the published version does not change. */
export type WantedFunnel = Omit<FunnelState, 'published'> & { publish: boolean }

export const FUNNELS = sectionKey<FunnelState, WantedFunnel>('funnels', 'funnel')

/** What is saved. */
export interface FunnelRows {
  funnels: readonly SavedFunnel[]
  /** The built-in test store takes payments, so that no account is needed. */
  hasTestStore: boolean
  files: KnownFiles
}

const locale: Read<string> = checkedText(35, (given) =>
  isLocale(given) ? null : 'This must be a language tag (BCP 47) such as en or tr-TR',
)

export const readFunnel = (members: Members, spot: Spot): WantedFunnel => {
  const defaultLocale = members.required('defaultLocale', locale, 'en')
  const inline = members.optional<FunnelPage[] | null>('pages', inlinePages, null)
  const ofFile = members.optional<FunnelPage[] | null>('pagesFile', pagesOfFile, null)
  if (inline && ofFile) spot.fail('pages and pagesFile exclude each other')
  return {
    name: members.required('name', label, ''),
    defaultLocale,
    locales: [...new Set(members.optional('locales', list(locale, MAX_LOCALES), [defaultLocale]))],
    publish: members.optional('publish', bool, false),
    theme: members.optional<WantedFunnel['theme']>('theme', theme, {}),
    settings: members.optional<WantedFunnel['settings']>('settings', settings, {}),
    pages: inline ?? ofFile ?? [],
  }
}

/** The content of the funnels in an exported file. */
export const funnelsContent = (saved: readonly { name: string; state: FunnelState }[]) =>
  contentByName(saved, funnelContent)

const funnelContent = ({ name, defaultLocale, locales, published, theme, settings, pages }: FunnelState): Content => ({
  name,
  defaultLocale,
  ...(locales.join() !== defaultLocale && { locales }),
  ...withoutEmpty({
    publish: published === 'current' ? true : null,
    theme: sortDeep(theme),
    settings: { ...settings },
    pages: pages.map(pageContent),
  }),
})

const pageContent = ({ id, type, title, fields, blocks, next }: FunnelPage): Content =>
  withoutEmpty({
    id,
    type,
    title: sortDeep(title),
    fields: fields.map(fieldContent),
    blocks: blocks && [...blocks],
    next: withoutEmpty({ rules: next.rules, default: next.default }),
  })

const fieldContent = ({ id, kind, required, options, min, max, ...further }: FunnelField): Content =>
  withoutEmpty({
    id,
    kind,
    required: unless(false, required),
    options: options.map(({ label, ...option }) => withoutEmpty({ ...option, label: sortDeep(label) })),
    min,
    max,
    ...further,
  })

/** The state of a funnel after the file is applied. */
export function publishedState({ publish, ...content }: WantedFunnel, before: FunnelState | null): FunnelState {
  const publishedBefore = before?.published ?? 'no'
  if (publish) return { ...content, published: 'current' }
  const isSame = before !== null && contentOf({ ...content, published: publishedBefore }) === contentOf(before)
  return { ...content, published: publishedBefore === 'current' && !isSame ? 'older' : publishedBefore }
}

/** The content that a version stores. The name is not part of it: it belongs to the funnel itself. */
const contentOf = ({ name: _name, published: _published, ...content }: FunnelState): string => canonicalJson(content)

/** Whether applying the file creates a version. */
export const isPublishing = ({ before, after }: Pair<FunnelState>): boolean =>
  after?.published === 'current' && (before?.published !== 'current' || contentOf(before) !== contentOf(after))
