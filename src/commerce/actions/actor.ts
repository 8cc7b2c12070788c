import { causeOf, type EventCause } from '../../people/events/model'
import { type Actor, CLI_ACTOR } from '../../projects/audit/audit'
import type { Store } from '../../stores/observation'

/** Who asks for an action: events name it as their cause, the audit log as its actor. */
export interface ActionOrigin {
  kind: 'CLI' | 'DASHBOARD'
  /** The request, where there is one. */
  ref: string | null
  actor: Actor
}

export const CLI_ORIGIN: ActionOrigin = { kind: 'CLI', ref: null, actor: CLI_ACTOR }

/** The cause of what an action changes; the reason that a person gave is its detail. */
export const causeOfAction = ({ kind, ref }: ActionOrigin, store: Store, reason: string | null): EventCause =>
  causeOf(kind, ref, store, reason)
