import type { Schemas } from '../../api/schemas'
import { State } from '../../kit/state'
import { now } from '../../lib/clock'
import { useText } from '../../text/catalogue'

export type ApiKey = Schemas['ApiKey']

/** Whether a key is in use, about to end, or over. */
export function KeyState({ apiKey }: { apiKey: ApiKey }) {
  const t = useText('settings')
  const { revokedAt, expiresAt, previousUntil } = apiKey
  const isOver = (at: string | null) => at !== null && Date.parse(at) <= now()
  if (revokedAt !== null) return <State tone="mute">{t.keyState.revoked}</State>
  if (isOver(expiresAt)) return <State tone="bad">{t.keyState.expired}</State>
  if (previousUntil !== null && !isOver(previousUntil)) return <State tone="warn">{t.keyState.rotating}</State>
  return <State tone="good">{t.keyState.live}</State>
}
