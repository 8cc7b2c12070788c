import type { Schemas } from '../../../api/schemas'
import { type Member, PROVIDERS, type Provider } from './providers'

export type Integration = Schemas['Integration']

export const PATH = '/dashboard/projects/{projectId}/integrations'

/** The typed texts, by the name of the member. Lists of events have one `type = name` in each line. */
export type Values = Readonly<Record<string, string>>

export interface Draft {
  values: Values
  /** Names of saved secrets that are to be removed. */
  removed: readonly string[]
  enabledEvents: string[]
  /** One `type = name` in each line. */
  eventMapping: string
  includeSandbox: boolean
}

export const emptyDraft = (provider: Provider): Draft => ({
  values: Object.fromEntries(PROVIDERS[provider].members.map(({ name, choices }) => [name, choices?.[0] ?? ''])),
  removed: [],
  enabledEvents: ['*'],
  eventMapping: '',
  includeSandbox: false,
})

/** Saved secrets are never shown, so their fields are empty: then they stay. */
export const draftOf = ({ settings, enabledEvents, eventMapping, includeSandbox }: Integration): Draft => ({
  values: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, textOf(value)])),
  removed: [],
  enabledEvents,
  eventMapping: linesOf(eventMapping),
  includeSandbox,
})

const textOf = (value: unknown): string =>
  value !== null && typeof value === 'object' ? linesOf(value as Record<string, unknown>) : String(value)

const linesOf = (names: Record<string, unknown>): string =>
  Object.entries(names)
    .map(([type, name]) => `${type} = ${name}`)
    .join('\n')

/** The credentials as the API takes them: empty optional members are left out. */
export const credentialsOf = (provider: Provider, values: Values): Record<string, unknown> =>
  Object.fromEntries(
    PROVIDERS[provider].members.flatMap((member): [string, unknown][] => {
      const value = valueIn(values, member.name)
      return value === '' && member.isOptional ? [] : [[member.name, memberValue(member, value)]]
    }),
  )

const memberValue = ({ kind }: Member, value: string): unknown => (kind === 'events' ? namesIn(value) : value)

/** `purchase.initial = abc123` in each line; a type can start with `ios:` or `android:`. */
export const namesIn = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines
      .split('\n')
      .map((line) => /^\s*([^=]+?)\s*=\s*(.+?)\s*$/.exec(line))
      .flatMap((found): [string, string][] => (found ? [[found[1] ?? '', found[2] ?? '']] : [])),
  )

/**
 * The credentials as a change of them: a secret that is not typed stays, null removes it. Null when nothing is changed.
 */
export function changedCredentials(
  provider: Provider,
  { values, removed }: Draft,
  saved: Integration,
): Record<string, unknown> | null {
  const { values: before } = draftOf(saved)
  const isKept = ({ name, kind }: Member) => kind === 'secret' && valueIn(values, name) === ''
  const { members } = PROVIDERS[provider]
  if (removed.length === 0 && members.every(({ name }) => valueIn(values, name) === valueIn(before, name))) return null
  const kept = members.filter((member) => isKept(member) && saved.secrets.includes(member.name)).map(({ name }) => name)
  const typed = Object.entries(credentialsOf(provider, values)).filter(([name]) => !kept.includes(name))
  return Object.fromEntries([...typed, ...removed.filter((name) => kept.includes(name)).map((name) => [name, null])])
}

const valueIn = (values: Values, name: string): string => (values[name] ?? '').trim()

export const settingsOf = ({ enabledEvents, eventMapping, includeSandbox }: Draft) => ({
  enabledEvents,
  eventMapping: namesIn(eventMapping),
  includeSandbox,
})
