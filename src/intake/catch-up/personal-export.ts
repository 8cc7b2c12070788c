import { and, eq, gt, inArray, like, or } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { allRows } from '../../base/db/page'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { ExportedPerson, OnExport } from '../../people/subscribers/hooks'

/** For the data export of a person: the notifications of stores about the person's purchases, as they came. */
export const exportNotifications: OnExport = (handle, _project, person) => ({
  'store-messages.jsonl': (async function* () {
    const ids = await notificationsOf(handle, person)
    for (let start = 0; start < ids.length; start += AT_ONCE)
      for (const row of await listNotifications(handle, person, ids.slice(start, start + AT_ONCE)))
        yield {
          ...{ record: 'message', id: row.id, store: row.store, type: row.type, status: row.status },
          environment: row.environment,
          ...{ eventAt: toIsoOrNull(row.eventAt), receivedAt: toIso(row.receivedAt) },
          ...{ processedAt: toIsoOrNull(row.processedAt), body: row.body },
        }
  })(),
})

const AT_ONCE = 100

function listNotifications({ db, tables }: Handle, { row }: ExportedPerson, ids: readonly string[]) {
  const { storeEvents: e } = tables
  const isNamed = and(eq(e.projectId, row.projectId), inArray(e.id, [...ids]))
  return db.select().from(e).where(isNamed).orderBy(e.id)
}

/** The ids of the notifications that changed something of the person, asked about a refund, or name the customer. */
async function notificationsOf(handle: Handle, person: ExportedPerson): Promise<string[]> {
  const found = new Set<string>()
  for (const find of [causesOfReports, causesOfEvents, refundRequests, namingCustomer])
    for await (const id of find(handle, person)) found.add(id)
  return [...found].sort()
}

interface Caused {
  cause: { kind: string; ref: string | null }
}

const refOf = ({ cause }: Caused): string[] =>
  cause.kind === 'STORE_NOTIFICATION' && cause.ref !== null ? [cause.ref] : []

async function* causesOfReports({ db, tables }: Handle, { ids }: ExportedPerson) {
  const { observations: o, purchases: p } = tables
  const found = db.select({ cause: o.cause }).from(p).innerJoin(o, eq(o.purchaseId, p.id))
  for (const row of await found.where(inArray(p.subscriberId, [...ids]))) yield* refOf(row)
}

async function* causesOfEvents({ db, tables: { events: e } }: Handle, { ids }: ExportedPerson) {
  for (const id of ids) {
    const read = (after: (Caused & { seq: number | null }) | null, limit: number) =>
      db
        .select({ seq: e.seq, cause: e.cause })
        .from(e)
        .where(and(eq(e.subscriberId, id), after === null ? undefined : gt(e.seq, after.seq ?? 0)))
        .orderBy(e.seq)
        .limit(limit)
    for await (const row of allRows(read)) yield* refOf(row)
  }
}

async function* refundRequests({ db, tables }: Handle, { row, ids }: ExportedPerson) {
  const { storeEvents: e, refundShieldResponses: r, purchases: p } = tables
  const isNamed = and(eq(e.projectId, row.projectId), eq(e.store, 'IOS_STORE'), eq(e.notificationId, r.notificationId))
  const isOwn = or(inArray(r.subscriberId, [...ids]), inArray(p.subscriberId, [...ids]))
  const found = db.select({ id: e.id }).from(r).innerJoin(e, isNamed).leftJoin(p, eq(p.id, r.purchaseId))
  for (const { id } of await found.where(isOwn)) yield id
}

/** The provider's events are not signed through and through: their text has the customer's id. */
async function* namingCustomer({ db, tables }: Handle, { row, ids }: ExportedPerson) {
  const { storeEvents: e, paymentCustomers: c } = tables
  const customers = await db
    .select({ id: c.customerId })
    .from(c)
    .where(inArray(c.subscriberId, [...ids]))
  for (const { id } of customers) {
    const isNamed = like(e.body, `%"${id.replaceAll(/[%_]/g, '_')}"%`)
    const rows = await db
      .select({ id: e.id, body: e.body })
      .from(e)
      .where(and(eq(e.projectId, row.projectId), eq(e.store, 'PAYMENT'), isNamed))
    for (const found of rows) if (found.body.includes(`"${id}"`)) yield found.id
  }
}
