import { asc, eq } from 'drizzle-orm'
import type { DeliveryRow } from '../../src/outward/deliveries/queries'
import { causeOf } from '../../src/people/events/model'
import { recordEvents } from '../../src/people/events/service'
import type { PurchaseEnvironment } from '../../src/stores/observation'
import type { Stage } from './cast'
import { type StaffCalls, staff } from './staff'

/** The id of the subscriber of a device, which is made when there is none. */
export const deviceOwner = async (s: Stage, device: string): Promise<string> =>
  (await s.get('/v1/me', device)).body.data.subscriber.id

interface Happening {
  type?: string
  environment?: PurchaseEnvironment
}

/** Writes events of a subscriber, and returns their ids. */
export async function happen(s: Stage, subscriberId: string, happenings: readonly Happening[]): Promise<string[]> {
  const image = { access: {}, balances: {} }
  const subject = { id: subscriberId, projectId: s.project.id, appUserId: null }
  const change = { subject, cause: causeOf('CLI', null), before: image, after: image }
  await s.ctx.write(async (tx) => {
    for (const { type = 'purchase.renewed', environment = 'PRODUCTION' } of happenings)
      await recordEvents(tx, change, [{ type, occurredAt: tx.clock.now(), environment, data: {} }])
  })
  const { events: e } = s.ctx.tables
  const rows = await s.ctx.db.select({ id: e.id }).from(e).where(eq(e.subscriberId, subscriberId)).orderBy(asc(e.seq))
  return rows.slice(rows.length - happenings.length).map(({ id }) => id)
}

export const deliveryRows = (s: Stage): Promise<DeliveryRow[]> =>
  s.ctx.db.select().from(s.ctx.tables.deliveries).orderBy(asc(s.ctx.tables.deliveries.position))

export const deliveryOf = async (s: Stage, id: string): Promise<DeliveryRow> => {
  const row = (await deliveryRows(s)).find((one) => one.id === id)
  if (!row) throw new Error(`no delivery ${id}`)
  return row
}

/** Makes an endpoint; its address is never called while nothing is sent. */
export async function endpoint(s: Stage, members: Record<string, unknown> = {}): Promise<string> {
  const given = { name: `hook ${Bun.randomUUIDv7()}`, url: 'https://8.8.8.8/hooks', eventTypes: ['*'], ...members }
  const { status, body } = await owner(s).post('/webhook-endpoints', given)
  if (status !== 201) throw new Error(`no endpoint: ${JSON.stringify(body)}`)
  return body.data.id
}

const owner = (s: Stage): StaffCalls => staff(s).as('OWNER')

let count = 0

/** Writes a delivery as the dispatcher would have left it. */
export async function delivered(
  s: Stage,
  { event, ...members }: Partial<DeliveryRow> & { targetId: string; event?: string },
): Promise<DeliveryRow> {
  const { events: e, deliveries: d } = s.ctx.tables
  const [found] = event === undefined ? [] : await s.ctx.db.select().from(e).where(eq(e.id, event))
  const now = s.ctx.clock.now()
  const ofEvent = found && {
    eventId: found.id,
    eventPosition: found.position,
    type: found.type,
    seq: found.seq,
    subscriberId: found.subscriberId,
  }
  const row = {
    id: `whd_${String(++count).padStart(26, '0')}`,
    projectId: s.project.id,
    kind: 'WEBHOOK' as const,
    eventId: null,
    eventPosition: null,
    type: 'purchase.renewed',
    seq: null,
    subscriberId: null,
    status: 'DEAD' as const,
    attempts: 10,
    dueAt: null,
    openOrder: null,
    leaseId: null,
    lastStatusCode: 500,
    lastError: null,
    skipReason: null,
    isTest: false,
    payload: null,
    log: [{ at: now, statusCode: 500, error: null, durationMs: 12, responseSnippet: 'no' }],
    createdAt: now,
    endedAt: now,
    ...ofEvent,
    ...members,
  }
  await s.ctx.write((tx) => tx.db.insert(tx.tables.deliveries).values(row))
  const [saved] = await s.ctx.db.select().from(d).where(eq(d.id, row.id))
  if (!saved) throw new Error('the delivery was not written')
  return saved
}
