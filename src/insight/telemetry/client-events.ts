import type { Context, Tx } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { fromDecimal } from '../../core/money/money'
import { forwardTrackEvent } from '../../outward/integrations/forward'
import { type Creation, resolveDevice, type SubscriberRow, unlessUnresolvable } from '../../people/subscribers/service'
import { dropOverBudget } from '../../projects/budget/service'
import { countUsage } from '../../projects/usage/service'
import { type CallerTraits, type ClientEvent, NO_SIGNALS, storedType } from './client-event'
import { hasEventSince, insertClientEvent } from './client-event-queries'

/** How long a repeated `eventId` is recognised. */
const REPEATED_WITHIN_MS = 7 * DAY

export interface EventCall {
  projectId: string
  /** Null: the event is recorded without a subscriber. */
  deviceKey: string | null
  creation: Creation | null
}

/**
 * Saves an event and passes it on to the integrations, each once for an `eventId`. Returns false when the event was dropped
 * over the budget of the project.
 */
export async function recordClientEvent(
  ctx: Context,
  { projectId, deviceKey, creation }: EventCall,
  event: ClientEvent,
  traits: CallerTraits,
): Promise<boolean> {
  if (await dropOverBudget(ctx, projectId, 1)) {
    ctx.metrics.clientEvents.inc({ outcome: 'dropped' })
    return false
  }
  const subscriber = deviceKey === null ? null : await findOrMake(ctx, projectId, deviceKey, creation)
  const isErased = subscriber !== null && subscriber.erasedAt !== null
  const outcome = isErased
    ? 'dropped' // Of an erased person nothing is stored again.
    : await ctx.write((tx) => save(tx, projectId, subscriber?.id ?? null, event, traits))
  ctx.metrics.clientEvents.inc({ outcome })
  return true
}

/** Null for a device whose merges are broken: a refusal would make the app drop the event, or send it for ever. */
async function findOrMake(
  ctx: Context,
  projectId: string,
  deviceKey: string,
  creation: Creation | null,
): Promise<SubscriberRow | null> {
  const resolved = await resolveDevice(ctx, projectId, deviceKey, creation).catch(unlessUnresolvable)
  return resolved?.row ?? null
}

async function save(
  tx: Tx,
  projectId: string,
  subscriberId: string | null,
  event: ClientEvent,
  traits: CallerTraits,
): Promise<'saved' | 'repeated'> {
  const { eventId, eventType, ...rest } = event
  const recordedAt = tx.clock.now()
  if (eventId !== null) {
    await tx.lock(`client-event:${projectId}:${eventId}`)
    if (await hasEventSince(tx, projectId, eventId, recordedAt - REPEATED_WITHIN_MS)) return 'repeated'
  }
  const row = { projectId, subscriberId, eventId, type: storedType(eventType), recordedAt, ...rest }
  const position = await insertClientEvent(tx, row)
  await countUsage(tx, projectId, 'telemetry', recordedAt, 1)
  const { amount, signals, ...same } = rest
  const forwarded = {
    ...{ eventId: eventId ?? `client-${position}`, eventType, subscriberId },
    ...{ ...same, amountMicros: amount === null ? null : fromDecimal(amount), signals: signals ?? NO_SIGNALS },
    ...traits,
  }
  await forwardTrackEvent(tx, projectId, forwarded)
  return 'saved'
}
