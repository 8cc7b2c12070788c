import { isTimezone } from '../../base/lib/timezone'
import { webUrlSentence } from '../../base/lib/web-url'
import { DEFAULT_SETTINGS, type ProjectSettings, SETTINGS as SCHEMA } from '../../core/project/schema'
import { MAX_ORIGINS, parseOrigin } from '../project/origins'
import { isSlug, MAX_TIMEZONE, MAX_WEB_URL } from '../project/settings'
import { currency, label } from './fields'
import { type Formed, form, may, orNone } from './form'
import { sectionKey } from './model'
import { mayOf } from './of-schema'
import { checkedText, list, type Read, text, unique } from './reader'

const slug = checkedText(64, (value) =>
  isSlug(value) ? null : 'A slug has 1 to 64 lower-case letters, digits and inner dashes',
)

const webUrl = checkedText(MAX_WEB_URL, (value) => {
  const fault = webUrlSentence(value)
  return fault === null ? null : `This ${fault}`
})

const timezone = checkedText(MAX_TIMEZONE, (value) =>
  isTimezone(value) ? null : 'This must be a time zone like Europe/Istanbul or UTC',
)

const origin: Read<string> = (spot) => {
  const given = text(255)(spot)
  const parsed = given === undefined ? null : parseOrigin(given)
  if (parsed !== null || given === undefined) return parsed ?? undefined
  return spot.fail('An origin is scheme, host and optional port, nothing else', 'ORIGIN_INVALID', { origin: given })
}

const SETTINGS = form<ProjectSettings>({
  ...mayOf(SCHEMA, DEFAULT_SETTINGS),
  reportCurrency: may(currency, DEFAULT_SETTINGS.reportCurrency),
})

export const PROJECT_FORM = form({
  /** Slug and name have no default: null keeps the saved value. */
  slug: orNone(slug),
  was: orNone(slug),
  name: orNone(label),
  timezone: may(timezone, 'UTC'),
  allowedOrigins: may(unique(list(origin, MAX_ORIGINS)), []),
  termsUrl: orNone(webUrl),
  privacyUrl: orNone(webUrl),
  settings: may(SETTINGS, DEFAULT_SETTINGS),
})

export type WantedProject = Formed<typeof PROJECT_FORM>

export type ProjectFields = Omit<WantedProject, 'slug' | 'was' | 'name'> & { slug: string; name: string }

export const PROJECT = sectionKey<ProjectFields, WantedProject>('project', 'project')
