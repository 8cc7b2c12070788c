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

/** A request of the dashboard. */
export const dashboardOrigin = (actor: Actor, requestId: string): ActionOrigin => ({
  kind: 'DASHBOARD',
  ref: requestId,
  actor,
})

/** The cause of the events of an action. Its detail is the reason that a person gave. */
export const causeOfAction = ({ kind, ref }: ActionOrigin, store: Store, reason: string | null): EventCause =>
  causeOf(kind, ref, store, reason)
