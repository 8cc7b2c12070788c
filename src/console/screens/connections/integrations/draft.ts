import type { Schemas } from '../../../api/schemas'
import { type Member, PROVIDERS, type Provider } from './providers'

export type Integration = Schemas['Integration']

export const PATH = '/dashboard/projects/{projectId}/integrations'

/** What is typed, by the name of the member. Lists of events have one `type = name` in each line. */
export type Values = Readonly<Record<string, string>>

export interface Draft {
  values: Values
  enabledEvents: string[]
  /** One `type = name` in each line. */
  eventMapping: string
  includeSandbox: boolean
}

export const emptyDraft = (provider: Provider): Draft => ({
  values: Object.fromEntries(PROVIDERS[provider].members.map(({ name, choices }) => [name, choices?.[0] ?? ''])),
  enabledEvents: ['*'],
  eventMapping: '',
  includeSandbox: false,
})

/** The saved credentials are never shown, so no choice of them is made either. */
export const draftOf = ({ enabledEvents, eventMapping, includeSandbox }: Integration): Draft => ({
  values: {},
  enabledEvents,
  eventMapping: Object.entries(eventMapping)
    .map(([type, name]) => `${type} = ${name}`)
    .join('\n'),
  includeSandbox,
})

/** The credentials as the API takes them: what is empty and may be left out is left out. */
export const credentialsOf = (provider: Provider, values: Values): Record<string, unknown> =>
  Object.fromEntries(
    PROVIDERS[provider].members.flatMap((member): [string, unknown][] => {
      const value = (values[member.name] ?? '').trim()
      return value === '' && member.isOptional ? [] : [[member.name, memberValue(member, value)]]
    }),
  )

const memberValue = ({ kind }: Member, value: string): unknown => (kind === 'events' ? namesIn(value) : value)

/** `purchase.initial = abc123` in each line; a type can begin with `ios:` or `android:`. */
export const namesIn = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines
      .split('\n')
      .map((line) => /^\s*([^=]+?)\s*=\s*(.+?)\s*$/.exec(line))
      .flatMap((found): [string, string][] => (found ? [[found[1] ?? '', found[2] ?? '']] : [])),
  )

/** Whether anything was typed or chosen that replaces the saved credentials. */
export const hasCredentials = (provider: Provider, values: Values): boolean =>
  PROVIDERS[provider].members.some(({ name }) => (values[name] ?? '').trim() !== '')

export const settingsOf = ({ enabledEvents, eventMapping, includeSandbox }: Draft) => ({
  enabledEvents,
  eventMapping: namesIn(eventMapping),
  includeSandbox,
})
