import { Value } from '@sinclair/typebox/value'
import type { Context } from '../../base/context'
import { requireVault } from '../../base/errors'
import type { Fault } from '../../core/text/fault'
import { authorizationTexts, redacted } from '../deliveries/redacted'
import type { Provider, ProviderRequest } from './provider'

export type Credentials = Readonly<Record<string, unknown>>

// Part of the encrypted envelope, so that it cannot be copied to another connection.
export const contextOf = (id: string): string => `integration:${id}`

export const sealCredentials = (ctx: Pick<Context, 'vault'>, id: string, credentials: Credentials): string =>
  requireVault(ctx).seal(JSON.stringify(credentials), contextOf(id))

/** Null when this master key cannot open them. */
export function openCredentials(
  { vault }: Pick<Context, 'vault'>,
  { id, sealedCredentials }: { id: string; sealedCredentials: string },
): Credentials | null {
  const text = vault?.open(sealedCredentials, contextOf(id)) ?? null
  return text === null ? null : (JSON.parse(text) as Credentials) // `sealCredentials` wrote it.
}

/** What people may see of saved credentials. */
export interface ShownCredentials {
  /** The members that are not secret. */
  settings: Record<string, unknown>
  /** Names of the secret members that are there. */
  secrets: string[]
}

/** Nothing of a provider that is not known, or when this master key cannot open them. */
export function shownCredentials(
  ctx: Pick<Context, 'vault'>,
  provider: Provider | null,
  row: { id: string; sealedCredentials: string },
): ShownCredentials {
  const saved = (provider && openCredentials(ctx, row)) ?? {}
  const isSecret = (name: string) => provider?.secrets.includes(name) === true
  return {
    settings: Object.fromEntries(Object.entries(saved).filter(([name]) => !isSecret(name))),
    secrets: Object.keys(saved).filter(isSecret),
  }
}

/** New credentials with the saved secrets that they do not name. Null in the place of a secret removes it. */
export function withSavedSecrets({ secrets }: Provider, saved: Credentials | null, given: Credentials): Credentials {
  const kept = secrets.flatMap((name) => (given[name] === undefined && saved?.[name] !== undefined ? [name] : []))
  return {
    ...Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== null || !secrets.includes(name))),
    ...Object.fromEntries(kept.map((name) => [name, saved?.[name]])),
  }
}

/** The faults in the form of the credentials. The values themselves are in no message. */
export function credentialFaults({ credentials: schema }: Provider, credentials: unknown): Fault[] {
  const faults = [...Value.Errors(schema, credentials)].map(({ path, message }) => ({
    path: `credentials${path.replaceAll('/', '.')}`,
    message: `credentials${path.replaceAll('/', '.')}: ${message}`,
  }))
  // A missing member is reported a second time for its type.
  return [...new Map(faults.map((fault) => [fault.path, fault])).values()]
}

/** The text without the secrets of the credentials, of the headers that were sent, and without these other texts. */
export const withoutSecrets = (
  text: string,
  { secrets }: Provider,
  credentials: Credentials,
  { authorization }: ProviderRequest['headers'] = {},
  others: readonly string[] = [],
): string =>
  redacted(text, [
    ...others,
    ...secrets.flatMap((name) => textsIn(credentials[name])),
    // Basic authentication spells a secret in its own way.
    ...(authorization === undefined ? [] : authorizationTexts(authorization)),
  ])

/** The texts of a value and of its members. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
