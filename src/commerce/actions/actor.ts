import { invalid } from '../../base/errors'
import { causeOf, type EventCause } from '../../people/events/model'
import { type Actor, CLI_ACTOR } from '../../projects/audit/audit'
import type { Store } from '../../stores/observation'

/** Who requests an action. Events name it as their cause, and the audit log as the actor. */
export interface ActionOrigin {
  kind: 'CLI' | 'DASHBOARD'
  /** The id of the request; null when the action does not come from a request. */
  ref: string | null
  actor: Actor
}

export const CLI_ORIGIN: ActionOrigin = { kind: 'CLI', ref: null, actor: CLI_ACTOR }

/** A request of the dashboard, or a command of this process. */
export const dashboardOrigin = (actor: Actor, requestId: string): ActionOrigin =>
  actor.kind === 'CLI' ? CLI_ORIGIN : { kind: 'DASHBOARD', ref: requestId, actor }

/** The cause of the events of an action. Its detail is the reason that a person gave. */
export const causeOfAction = ({ kind, ref }: ActionOrigin, store: Store, reason: string | null): EventCause =>
  causeOf(kind, ref, store, reason)

const MAX_CHARS = 200

/** Checks the reason that a person gave. Events and the audit log repeat it. A blank text means no reason. */
export function checkReason(text: string | null): string | null {
  const reason = text?.trim() ?? ''
  if (reason.length > MAX_CHARS) throw invalid(`reason: at most ${MAX_CHARS} characters`)
  if (/\p{Cc}/u.test(reason) || !reason.isWellFormed()) throw invalid('reason: one line of plain text')
  return reason === '' ? null : reason
}
