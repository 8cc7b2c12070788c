import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { OutgoingInit } from '../../base/http/outgoing'
import type { EventRow } from '../../people/events/feed'
import type { AttemptResult, DeliveryKindName, DisabledReason, OpenDelivery, SkipReason } from './model'

/**
 * Calls an address, which is checked and pinned like every address that a user gave. At most 15 s for all calls of one
 * attempt together; 16 KiB of the answer are read. Never throws for a fault of the other side.
 */
export type GuardedCall = (
  url: string,
  init: OutgoingInit,
) => Promise<Extract<AttemptResult, { kind: 'answer' | 'fault' }>>

/** A target that gets the events of its project. */
export interface EventSubscription {
  targetId: string
  /** Events recorded before this instant are none of its business. */
  since: number
  /** `SEND` makes a delivery, `IGNORE` nothing, and a reason a delivery that is SKIPPED at once. */
  judge(event: EventRow): 'SEND' | 'IGNORE' | SkipReason
}

export interface AttemptOutcome {
  targetId: string
  projectId: string
  isSuccess: boolean
  /** Null when no answer came. */
  statusCode: number | null
  at: number
  error: string | null
}

/** What a slice that sends something adds to the deliveries. */
export interface DeliveryKind {
  kind: DeliveryKindName
  /** The wait before each attempt in milliseconds. There are as many attempts as waits. */
  waitsMs: readonly number[]
  /** Read in the transaction that makes the deliveries, for each change of a project that has targets. */
  subscriptionsOf?(handle: Handle, projectId: string): Promise<EventSubscription[]>
  /** Whether the project has a target of this id, also one that is switched off. */
  isKnown?(handle: Handle, projectId: string, targetId: string): Promise<boolean>
  /** Makes one attempt, outside of any transaction. A throw counts as a failed attempt. */
  attempt(ctx: Context, delivery: OpenDelivery, call: GuardedCall): Promise<AttemptResult>
  /** Switches the target off, in the transaction of the outcome. Its waiting deliveries have ended as DEAD already. */
  disable(tx: Tx, target: { targetId: string; projectId: string }, reason: DisabledReason): Promise<void>
  /** After each attempt, in the transaction that saves its outcome. */
  onOutcome?(tx: Tx, outcome: AttemptOutcome): Promise<void>
  /** After the deliveries have ended for good, in the same transaction. */
  onEnd?(tx: Tx, deliveryIds: readonly string[]): Promise<void>
  /** The body that the next attempt would send, for the delivery log; null when it can no longer be made. */
  bodyOf?(ctx: Context, delivery: OpenDelivery): Promise<string | null>
}

declare module '../../base/state' {
  interface SliceHooks {
    deliveryKind: DeliveryKind
  }
}

export function kindOf({ hooks }: Pick<Context, 'hooks'>, name: DeliveryKindName): DeliveryKind {
  const found = (hooks.deliveryKind ?? []).find(({ kind }) => kind === name)
  if (!found) throw new Error(`no slice sends ${name}`)
  return found
}
