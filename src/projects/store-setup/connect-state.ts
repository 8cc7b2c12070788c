import type { Context } from '../../base/context'
import { MINUTE } from '../../base/lib/clock'
import type { PaymentMode } from '../project/state'

/** What the provider sends back unchanged with the person who connects an account. */
export interface ConnectState {
  projectId: string
  mode: PaymentMode
  /** A path of the dashboard. */
  returnPath: string
}

/** The person who started, in the session in which they started; `sessionId` null with a personal access token. */
export interface Bearer {
  userId: string
  sessionId: string | null
}

const PURPOSE = 'payment connect'
const LIFE_MS = 30 * MINUTE

/** A signed text for one person and, unless they used a token, one session. It is valid for 30 minutes. */
export function writeState({ mac, clock }: Context, state: ConnectState, { userId, sessionId }: Bearer): string {
  const { projectId, mode, returnPath } = state
  const parts = [projectId, mode, returnPath, clock.now() + LIFE_MS, sessionId === null ? 'token' : 'session']
  const text = Buffer.from(JSON.stringify(parts)).toString('base64url')
  return `${text}.${mac.sign(signedText(text, userId, sessionId), PURPOSE)}`
}

const signedText = (text: string, userId: string, sessionId: string | null): string =>
  `${text}\n${userId}\n${sessionId ?? ''}`

/** Null for a state that was made for another person or session, was changed, or is too old. */
export function readState({ mac, clock }: Context, given: string, bearer: Bearer): ConnectState | null {
  const [text = '', signature = ''] = given.split('.')
  const isSigned = (sessionId: string | null) =>
    mac.isSigned(signedText(text, bearer.userId, sessionId), PURPOSE, signature)
  const bySession = isSigned(bearer.sessionId)
  if (!bySession && !isSigned(null)) return null
  // The signature shows that `writeState` wrote these parts.
  const parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  const [projectId, mode, returnPath, until, kind] = parts as [string, PaymentMode, string, number, string]
  const isRight = kind === (bySession ? 'session' : 'token') && clock.now() < until
  return isRight ? { projectId, mode, returnPath } : null
}
