import { dayOf } from '../../src/insight/telemetry/pack-key'
import { listSessionEvents } from '../../src/insight/telemetry/session-history'
import type { Answer, Stage } from './cast'

export const iso = (at: number): string => new Date(at).toISOString()

type Options = Parameters<Stage['post']>[2]

/** An event of a session at this instant. */
export const opened = (s: Stage, change: object = {}) => ({
  type: 'open',
  occurredAt: iso(s.ctx.clock.now()),
  ...change,
})

export const postSessions = (s: Stage, device: unknown, events: unknown, options: Options = {}): Promise<Answer> =>
  s.post('/v1/sdk/sessions', { subscriberId: device, events }, options)

export const postEvent = (s: Stage, body: object, options: Options = {}): Promise<Answer> =>
  s.post('/v1/events', { eventType: 'tutorial_completed', occurredAt: iso(s.ctx.clock.now()), ...body }, options)

export const sessionsOf = (s: Stage, subscriberId: string) => listSessionEvents(s.ctx, [subscriberId])

export const clientEvents = (s: Stage) =>
  s.ctx.db.select().from(s.ctx.tables.clientEvents).orderBy(s.ctx.tables.clientEvents.position)

export const today = (s: Stage): number => dayOf(s.ctx.clock.now())
