import { invalid } from '../../base/errors'
import { canonicalJson } from '../../base/lib/hash'
import { DEFAULT_SETTINGS, type ProjectSettings } from '../../core/project/schema'

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

export const isCurrency = (code: string): boolean => CURRENCIES.has(code)

const SETTING_NAMES = Object.keys(DEFAULT_SETTINGS) as (keyof ProjectSettings)[]

/** All settings of a project. Members of the column that no setting has are left out. */
export const allSettings = (saved: Partial<ProjectSettings>): ProjectSettings => ({
  ...DEFAULT_SETTINGS,
  ...Object.fromEntries(Object.entries(saved).filter(([name]) => name in DEFAULT_SETTINGS)),
})

/** Only values that differ are saved, so that a new default applies to all projects that never set the value. */
export const withoutDefaults = (settings: ProjectSettings): Partial<ProjectSettings> => {
  const isChosen = (name: keyof ProjectSettings) =>
    canonicalJson(settings[name]) !== canonicalJson(DEFAULT_SETTINGS[name])
  return Object.fromEntries(SETTING_NAMES.filter(isChosen).map((name) => [name, settings[name]]))
}

export const MAX_TIMEZONE = 64
export const MAX_WEB_URL = 2048

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const MAX_DERIVED = 48

export const isSlug = (text: string): boolean => SLUG.test(text)

export function checkSlug(slug: string): string {
  if (!isSlug(slug)) throw invalid('slug must be 1 to 64 lower-case letters, digits and inner dashes')
  return slug
}

/** Derives a slug from a name: `Şişli Café 2` -> `sisli-cafe-2`. A name without such characters -> `project`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ı', 'i').toLowerCase()
  const dashed = plain.replace(/[^a-z0-9]+/g, '-').slice(0, MAX_DERIVED)
  return dashed.replace(/^-+|-+$/g, '') || 'project'
}
