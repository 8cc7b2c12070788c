import type { Schemas } from '../../api/schemas'
import type { Project } from '../../lib/session'

type Settings = Schemas['ProjectSettings']
type SettingName = keyof Settings

/** Members of a project that the form changes. Lists are texts with one entry in each line, numbers are texts too. */
export const OWN_FIELDS = ['name', 'slug', 'timezone', 'allowedOrigins', 'termsUrl', 'privacyUrl'] as const
export type FieldName = (typeof OWN_FIELDS)[number] | SettingName
export type Values = Record<FieldName, string | boolean>

const NUMBERS: ReadonlySet<string> = new Set<SettingName>([
  'providerGraceDays',
  'holdoutPercentage',
  'leaseTtlSeconds',
  'eventRetentionDays',
])
const LISTS: ReadonlySet<string> = new Set<FieldName>(['allowedOrigins', 'sandboxTesters'])
const NULLABLE: ReadonlySet<string> = new Set<FieldName>(['termsUrl', 'privacyUrl', 'identityJwksUrl'])
const OWN: ReadonlySet<string> = new Set(OWN_FIELDS)

export function valuesOf(project: Project): Values {
  const own = OWN_FIELDS.map((name) => [name, toValue(project[name])] as const)
  const settings = Object.entries(project.settings).map(([name, value]) => [name, toValue(value)] as const)
  return Object.fromEntries([...own, ...settings]) as Values
}

function toValue(value: unknown): string | boolean {
  if (typeof value === 'boolean') return value
  return Array.isArray(value) ? value.join('\n') : String(value ?? '')
}

export const changedFields = (base: Values, values: Values): FieldName[] =>
  (Object.keys(values) as FieldName[]).filter((name) => values[name] !== base[name])

/** The body of the call that makes these fields as they are in the form. */
export function bodyOf(values: Values, names: readonly FieldName[]): Schemas['ProjectChange'] {
  const pairs = names.map((name) => [name, toWire(name, values[name])] as const)
  const settings = pairs.filter(([name]) => !OWN.has(name))
  return {
    ...Object.fromEntries(pairs.filter(([name]) => OWN.has(name))),
    ...(settings.length > 0 && { settings: Object.fromEntries(settings) }),
  }
}

function toWire(name: FieldName, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value
  if (LISTS.has(name)) return linesOf(value)
  if (NUMBERS.has(name)) return value.trim() === '' ? null : Number(value)
  return value === '' && NULLABLE.has(name) ? null : value
}

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
