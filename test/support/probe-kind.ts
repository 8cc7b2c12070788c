import type { DeliveryKind, EventSubscription } from '../../src/outward/deliveries/kinds'
import type { AttemptResult, OpenDelivery } from '../../src/outward/deliveries/model'
import { WEBHOOK_WAITS } from '../../src/outward/deliveries/schedule'
import { openTarget } from '../../src/outward/deliveries/targets'
import { recordEvents } from '../../src/people/events/service'
import { SLICES } from '../../src/slices'
import type { TestContext } from './context'

export const answer = (status: number, headers: Record<string, string> = {}): AttemptResult => ({
  kind: 'answer',
  status,
  headers: new Headers(headers),
  body: Buffer.from(`answer ${status}`),
})

export interface Probe {
  slices: typeof SLICES
  /** Every attempt, in the order of beginning. */
  sent: OpenDelivery[]
  disabled: [targetId: string, reason: string][]
  /** What the receivers answer. */
  respond: (delivery: OpenDelivery) => AttemptResult | Promise<AttemptResult>
  /** Opens a target that wants every event from now on. */
  open(ctx: TestContext, targetId: string, projectId: string, isOrdered?: boolean): Promise<void>
  judge: EventSubscription['judge']
}

/** The product with one sender whose receivers are functions, in place of the webhooks. */
export function probeKind(): Probe {
  const targets: { targetId: string; projectId: string }[] = []
  const probe: Probe = {
    slices: [],
    sent: [],
    disabled: [],
    respond: () => answer(200),
    judge: () => 'SEND',
    async open(ctx, targetId, projectId, isOrdered = false) {
      targets.push({ targetId, projectId })
      await ctx.write((tx) => openTarget(tx, { targetId, kind: 'WEBHOOK', projectId, isOrdered }))
    },
  }
  const kind: DeliveryKind = {
    kind: 'WEBHOOK',
    waitsMs: WEBHOOK_WAITS,
    subscriptionsOf: async (_handle, projectId) =>
      targets
        .filter((target) => target.projectId === projectId)
        .map(({ targetId }) => ({ targetId, since: 0, judge: (event) => probe.judge(event) })),
    async attempt(_ctx, delivery) {
      probe.sent.push(delivery)
      return probe.respond(delivery)
    },
    async disable(_tx, { targetId }, reason) {
      probe.disabled.push([targetId, reason])
      targets.splice(
        targets.findIndex((one) => one.targetId === targetId),
        1,
      )
    },
  }
  const others = SLICES.filter(({ deliveryKind }) => deliveryKind?.kind !== 'WEBHOOK')
  probe.slices = [...others, { name: 'probe', deliveryKind: kind }]
  return probe
}

/** Writes `count` events of a subscriber, as a service does. */
export async function writeEvents(
  ctx: TestContext,
  subject: { id: string; projectId: string },
  count: number,
): Promise<void> {
  const drafts = Array.from({ length: count }, () => ({
    type: 'purchase.renewed',
    occurredAt: ctx.clock.now(),
    environment: 'PRODUCTION' as const,
    data: {},
  }))
  const image = { access: {}, balances: {} }
  const cause = { kind: 'API' as const, ref: null, store: null, detail: null }
  await ctx.write((tx) =>
    recordEvents(tx, { subject: { ...subject, appUserId: null }, cause, before: image, after: image }, drafts),
  )
}
