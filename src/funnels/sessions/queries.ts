import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { prepared, preparedChange, preparedRows } from '../../base/db/prepared'

export type SessionRow = Handle['tables']['funnelSessions']['$inferSelect']
export type AnswerRow = Handle['tables']['funnelAnswers']['$inferSelect']
export type StepRow = Handle['tables']['funnelSteps']['$inferSelect']

export async function findSession(handle: Handle, id: string): Promise<SessionRow | null> {
  const query = prepared(handle, 'funnelSessions.byId', ({ db, tables: { funnelSessions: s } }) =>
    db
      .select()
      .from(s)
      .where(eq(s.id, sql.placeholder('id')))
      .prepare(),
  )
  return (await query.execute({ id }))[0] ?? null
}

export async function listSessionsByIds({ db, tables }: Handle, ids: readonly string[]): Promise<SessionRow[]> {
  const { funnelSessions: s } = tables
  return ids.length === 0
    ? []
    : db
        .select()
        .from(s)
        .where(inArray(s.id, [...ids]))
}

/** The row, which no other transaction changes before this one ends. */
export async function lockSession(tx: Tx, id: string): Promise<SessionRow | null> {
  await tx.lock(`funnel-session:${id}`)
  return findSession(tx, id)
}

export async function insertSession(tx: Tx, row: SessionRow): Promise<void> {
  const { shape, values, params } = preparedRows([row])
  const build = ({ db, tables }: Handle) => db.insert(tables.funnelSessions).values(values()).prepare()
  await prepared(tx, `funnelSessions.insert ${shape}`, build).execute(params)
}

export async function updateSession(tx: Tx, id: string, change: Partial<SessionRow>): Promise<void> {
  const { shape, set, params } = preparedChange(change)
  const query = prepared(tx, `funnelSessions.update ${shape}`, ({ db, tables: { funnelSessions: s } }) =>
    db
      .update(s)
      .set(set())
      .where(eq(s.id, sql.placeholder('sessionId')))
      .prepare(),
  )
  await query.execute({ ...params, sessionId: id })
}

export async function listAnswers(handle: Handle, sessionId: string): Promise<AnswerRow[]> {
  const query = prepared(handle, 'funnelAnswers.ofSession', ({ db, tables: { funnelAnswers: a } }) =>
    db
      .select()
      .from(a)
      .where(eq(a.sessionId, sql.placeholder('sessionId')))
      .prepare(),
  )
  return query.execute({ sessionId })
}

export async function saveAnswer(tx: Tx, row: AnswerRow): Promise<void> {
  const { shape, values, params } = preparedRows([row])
  const query = prepared(tx, `funnelAnswers.save ${shape}`, ({ db, tables: { funnelAnswers: a } }) => {
    const { value, isSealed, pageId, answeredAt } = values()[0] as AnswerRow
    const target = [a.sessionId, a.fieldId]
    return db
      .insert(a)
      .values(values())
      .onConflictDoUpdate({ target, set: { value, isSealed, pageId, answeredAt } })
      .prepare()
  })
  await query.execute(params)
}

export async function deleteAnswers({ db, tables }: Tx, sessionId: string, fieldIds: readonly string[]): Promise<void> {
  const { funnelAnswers: a } = tables
  await db.delete(a).where(and(eq(a.sessionId, sessionId), inArray(a.fieldId, [...fieldIds])))
}

/** The first view counts. */
export async function saveView(tx: Tx, row: Omit<StepRow, 'advancedAt'>): Promise<void> {
  const { shape, values, params } = preparedRows([{ ...row, advancedAt: null }])
  const build = ({ db, tables }: Handle) =>
    db.insert(tables.funnelSteps).values(values()).onConflictDoNothing().prepare()
  await prepared(tx, `funnelSteps.view ${shape}`, build).execute(params)
}

/** The first step on counts. */
export async function saveAdvance(tx: Tx, sessionId: string, pageId: string, at: number): Promise<void> {
  const { set, params } = preparedChange({ advancedAt: at })
  const query = prepared(tx, 'funnelSteps.advance', ({ db, tables: { funnelSteps: t } }) => {
    const isOf = and(eq(t.sessionId, sql.placeholder('sessionId')), eq(t.pageId, sql.placeholder('pageId')))
    return db
      .update(t)
      .set(set())
      .where(and(isOf, isNull(t.advancedAt)))
      .prepare()
  })
  await query.execute({ ...params, sessionId, pageId })
}
