import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { AfterErase, ListAudited, OnErase, PersonTexts } from '../../people/subscribers/hooks'

/** At an erasure: in an app the person may have made the request, and then its name is theirs. */
export const eraseRequests: OnErase = async (tx, _project, _subscriber, { ids, texts }) => {
  const { dataRequests: d } = tx.tables
  const rows = await tx.db
    .select({ id: d.id, requestedBy: d.requestedBy })
    .from(d)
    .where(inArray(d.subscriberId, [...ids]))
  const named = rows.filter(({ requestedBy }) => names(requestedBy, texts))
  for (const { id } of named) await tx.db.update(d).set({ requestedBy: 'the person' }).where(eq(d.id, id))
  return { data_requests: { reduced: named.length } }
}

export const listAuditedRequests: ListAudited = async ({ db, tables: { dataRequests: d } }, ids) => {
  const rows = await db
    .select({ id: d.id })
    .from(d)
    .where(inArray(d.subscriberId, [...ids]))
  return rows.map(({ id }) => id)
}

/** After an erasure: removes the files of the person's exports. */
export const removeExports: AfterErase = async (ctx, _project, { ids }) => {
  const { dataRequests: d } = ctx.tables
  const rows = await ctx.db
    .select({ id: d.id, key: d.artefactKey })
    .from(d)
    .where(and(inArray(d.subscriberId, [...ids]), isNotNull(d.artefactKey)))
  for (const { id, key } of rows) {
    if (key !== null) await ctx.state.blobs.remove(key)
    await ctx.write((tx) => tx.db.update(d).set({ artefactKey: null }).where(eq(d.id, id)))
  }
}

/** The rows are of the person alone, so a text that says who made one may be theirs. */
const names = (requestedBy: string, { ids, chosen }: PersonTexts): boolean =>
  [...ids, ...chosen].some((text) => requestedBy.includes(text))
