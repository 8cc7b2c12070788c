import { and, eq, inArray } from 'drizzle-orm'
import type { Context, Tx } from '../../base/context'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import { causeOf } from '../../people/events/model'
import { type ErasedKeyRow, insertErasedKeys } from '../../people/subscribers/erased-keys'
import type { ErasedRows, PersonTexts } from '../../people/subscribers/hooks'
import { reduceAuditRows } from '../../projects/audit/personal-data'
import type { ProjectState } from '../../projects/project/state'
import { type ContentRows, deleteAnswers, findContent, listAudited, listCauses } from './content'
import { findPerson, keysOf, lockPerson, type Person, textsOf } from './person'

export type ErasureRow = Tx['tables']['erasures']['$inferSelect']

export interface Order {
  /** The request; for a person whom a restored backup brought back, the subscriber. */
  id: string
  subscriberId: string
}

/** The known facts of the person, in memory until the erasure has ended. */
export interface Erased {
  row: ErasureRow
  texts: PersonTexts
  ids: string[]
}

const WHOLE_INBOX = 0

/**
 * Erases a person in the database, in one transaction. `announce` runs before it with the keyed hashes that the person
 * leaves. A second call for the same order does what is left to do.
 */
export async function eraseRows(
  ctx: Context,
  project: ProjectState,
  order: Order,
  announce: (keys: ErasedKeyRow[]) => Promise<void>,
): Promise<Erased | null> {
  for (;;) {
    const seen = await findPerson(ctx, project.id, order.subscriberId)
    if (!seen) return null
    const startedAt = ctx.clock.now()
    const content = await findContent(ctx, project.id, textsOf(seen), WHOLE_INBOX)
    await announce(keyRows(ctx, project.id, seen))
    const erased = await ctx.write((tx) => eraseInside(tx, project, order, seen, content))
    if (!erased) continue // Another subscriber was merged into the person since.
    await eraseLateContent(ctx, project, erased, startedAt)
    return erased
  }
}

async function eraseInside(tx: Tx, project: ProjectState, order: Order, seen: Person, content: ContentRows) {
  const person = await lockPerson(tx, project.id, order.subscriberId)
  if (!person || !isSame(tx, project.id, person, seen)) return null
  await insertErasedKeys(tx, keyRows(tx, project.id, person))
  const ids = person.rows.map(({ id }) => id)
  const audited = await listAudited(tx, ids, person.purchaseIds)
  for (const list of tx.hooks.listAudited ?? []) audited.push(...(await list(tx, ids)))
  const counts = await eraseInEverySlice(tx, project, person, content)
  await endAccess(tx, project, person, order)
  counts.push({ audit_log: { reduced: await reduceAuditRows(tx, project.id, audited) } })
  for (const id of ids) tx.afterCommit(() => tx.state.changeSignal.notify(id))
  return { row: await saveErasure(tx, project.id, order, person, sumOf(counts)), texts: textsOf(person), ids }
}

/** Whether the keys that were announced are all that the person has. */
function isSame(tx: Tx, projectId: string, person: Person, seen: Person): boolean {
  const hashes = new Set(keyRows(tx, projectId, seen).map(({ kind, hash }) => `${kind}${hash}`))
  return keyRows(tx, projectId, person).every(({ kind, hash }) => hashes.has(`${kind}${hash}`))
}

const keyRows = ({ clock, state }: Pick<Tx, 'clock' | 'state'>, projectId: string, person: Person): ErasedKeyRow[] =>
  keysOf(person).map((key) => ({
    ...{ projectId, kind: key.kind, hash: state.erasedKeys.hash(projectId, key) },
    ...{ subscriberId: person.row.id, erasedAt: clock.now() },
  }))

async function eraseInEverySlice(tx: Tx, project: ProjectState, person: Person, content: ContentRows) {
  const { row, deviceKeys, labels, purchaseIds } = person
  const ids = person.rows.map(({ id }) => id)
  const causes = await listCauses(tx, ids, purchaseIds)
  const storeEventIds = [...new Set([...content.storeEventIds, ...causes])]
  const erased = { ids, deviceKeys, labels, purchaseIds, storeEventIds, texts: textsOf(person) }
  const parts: ErasedRows[] = [{ idempotency_keys: { removed: await deleteAnswers(tx, content.answerScopes) } }]
  for (const erase of tx.hooks.onErase ?? []) parts.push(await erase(tx, project, row, erased))
  return parts
}

/** Tables of which nothing was touched are left out. */
export function sumOf(parts: readonly ErasedRows[]): ErasedRows {
  const sums: Record<string, { removed: number; reduced: number }> = {}
  for (const [table, { removed = 0, reduced = 0 }] of parts.flatMap((part) => Object.entries(part))) {
    const before = sums[table] ?? { removed: 0, reduced: 0 }
    sums[table] = { removed: before.removed + removed, reduced: before.reduced + reduced }
  }
  const touched = Object.entries(sums).filter(([, { removed, reduced }]) => removed + reduced > 0)
  return Object.fromEntries(touched.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Access ends. No purchase event is sent, and no event has the label. */
async function endAccess(tx: Tx, project: ProjectState, { row }: Person, { id }: Order): Promise<void> {
  const erasedAt = row.erasedAt ?? tx.clock.now()
  const erased = { ...row, appUserId: null, attributes: {}, erasedAt }
  await recordSubscriberEvents(tx, project, erased, { cause: causeOf('ERASURE', id), drafts: [] })
}

async function saveErasure(tx: Tx, projectId: string, order: Order, { row }: Person, counts: ErasedRows) {
  const { erasures: e } = tx.tables
  const [before] = await tx.db.select().from(e).where(eq(e.id, order.id))
  const all = sumOf([before?.counts ?? {}, counts])
  const saved = { projectId, subscriberId: row.id, counts: all, erasedAt: tx.clock.now(), cleanedAt: null }
  await tx.db
    .insert(e)
    .values({ id: order.id, ...saved })
    .onConflictDoUpdate({ target: e.id, set: saved })
  return { id: order.id, ...saved }
}

/** What arrived between the search and the commit. */
async function eraseLateContent(ctx: Context, project: ProjectState, { texts }: Erased, since: number) {
  const { storeEventIds, answerScopes } = await findContent(ctx, project.id, texts, since)
  if (storeEventIds.length + answerScopes.length === 0) return
  await ctx.write(async (tx) => {
    await deleteAnswers(tx, answerScopes)
    const { storeEvents: e, forwardBodies: b } = tx.tables
    await tx.db
      .update(e)
      .set({ body: '', error: null })
      .where(and(eq(e.projectId, project.id), inArray(e.id, storeEventIds)))
    await tx.db.delete(b).where(inArray(b.storeEventId, storeEventIds))
  })
}
