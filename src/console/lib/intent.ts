import type { Schemas } from '../api/schemas'

/** A change that the assistant or an agent has prepared. Nothing of it is done before a person approves it. */
export type Intent = Schemas['AssistantIntent']
export type Effects = Schemas['AssistantIntentEffects']
export type IntentStatus = Intent['status']

/** The state at a moment: a waiting one can have expired before the server reports it. */
export const statusAt = ({ status, expiresAt }: Intent, now: number): IntentStatus =>
  status === 'PENDING' && Date.parse(expiresAt) <= now ? 'EXPIRED' : status

export const minutesLeft = ({ expiresAt }: Intent, now: number): number =>
  Math.max(1, Math.ceil((Date.parse(expiresAt) - now) / 60_000))

/** `9f3c…21ae` */
export const shortDigest = (digest: string): string => `${digest.slice(0, 4)}…${digest.slice(-4)}`

/** A value of a preview as text; null where there is none. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value)
}

/** The name of a person in the form in which the server gives one; null when it gives none. */
export function nameOf(who: unknown): string | null {
  if (typeof who === 'string') return who
  if (typeof who !== 'object' || who === null) return null
  const { name, email, userId, id } = who as Record<string, unknown>
  const found = [name, email, userId, id].find((one) => typeof one === 'string' && one !== '')
  return typeof found === 'string' ? found : null
}

/** The reason that an agent gave, unchecked: with the change, or as an argument of it. */
export function wordsOf({ arguments: given, via }: Intent): string | null {
  if (via.note !== null) return via.note
  return via.kind === 'MCP' && typeof given.reason === 'string' && given.reason !== '' ? given.reason : null
}
