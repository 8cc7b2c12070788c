import { and, asc, eq, gt, gte, inArray, lt, max, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import type { Cell } from '../cells'
import { counted, type SumScope } from '../sums'
import type { KeptAnswer, Version } from './answer'
import type { PeopleQuestion } from './count-person'
import type { GroupedEntry } from './counts'

// These statements read many rows, so they run in `readInThread`.

export async function lastMove({ db, tables: { purchaseMoves: m } }: Handle): Promise<number> {
  const [row] = await db.select({ position: max(m.position) }).from(m)
  return Number(row?.position ?? 0)
}

/** Answers to a question about cells that start in a window or shortly before it. */
export const listAnswers = (
  { db, tables: { figureAnswers: a } }: Handle,
  projectId: string,
  name: string,
  from: number,
): Promise<KeptAnswer[]> =>
  db
    .select()
    .from(a)
    .where(and(eq(a.projectId, projectId), eq(a.name, name), gte(a.start, from)))

/** Saves answers; what was saved of the same cells before is replaced. */
export async function saveAnswers(handle: Handle, answers: readonly KeptAnswer[]): Promise<void> {
  const { figureAnswers: a } = handle.tables
  const excluded = (name: string) => sql.raw(`excluded.${name}`)
  const set = {
    position: excluded('position'),
    moved: excluded('moved'),
    computedAt: excluded('computed_at'),
    answer: excluded('answer'),
  }
  const target = [a.projectId, a.name, a.start, a.end]
  for (let first = 0; first < answers.length; first += SOME)
    await handle.db
      .insert(a)
      .values(answers.slice(first, first + SOME))
      .onConflictDoUpdate({ target, set })
}

export const deleteAnswersBefore = async (
  { db, tables: { figureAnswers: a } }: Handle,
  computedAt: number,
): Promise<void> => {
  await db.delete(a).where(lt(a.computedAt, computedAt))
}

/** Rows or ids of one statement. */
const SOME = 500

interface Changes extends Pick<Version, 'position'> {
  ranges: readonly Cell[]
  limit: number
}

/** Purchases with entries after a position, or at the times of the ranges, that can change an answer. */
export async function listChanged(
  { db, tables: { figureEntries: f } }: Handle,
  scope: SumScope,
  question: PeopleQuestion,
  { position, ranges, limit }: Changes,
): Promise<string[]> {
  const isEntry = and(counted(f, scope, isOwn(f, scope)), isRelevant(f, question))
  // Of an expression, because else the index of purchases would be read from one end to the other.
  const id = sql<string>`${f.purchaseId} || ''`.as('id')
  const found = await db
    .selectDistinct({ id })
    .from(f)
    .where(and(gt(f.position, position), isEntry))
    .limit(limit)
  for (const { start, end } of ranges) {
    const isWithin = and(gte(f.at, start), lt(f.at, end))
    const some = await db
      .selectDistinct({ id })
      .from(f)
      .where(and(counted(f, scope), isRelevant(f, question), isWithin))
      .limit(limit)
    found.push(...some)
  }
  return [...new Set(found.map(({ id }) => id))]
}

type Entries = Handle['tables']['figureEntries']

/** An expression is in no index, so that entries are found by their purchase or position. */
export const isOwn = (f: Entries, { projectId }: SumScope): SQL => sql`${f.projectId} || '' = ${projectId}`

const isRelevant = (f: Entries, question: PeopleQuestion): SQL | undefined =>
  question === 'ACTIVE' ? and(eq(f.kind, 'STATE'), or(ne(f.paidIn, 0), ne(f.paidOut, 0))) : ne(f.charges, 0)

export interface Move {
  position: number
  purchaseId: string
  fromId: string
}

export const listMovesAfter = (
  { db, tables: { purchaseMoves: m } }: Handle,
  projectId: string,
  moved: number,
): Promise<Move[]> =>
  db
    .select({ position: m.position, purchaseId: m.purchaseId, fromId: m.fromId })
    .from(m)
    .where(and(eq(m.projectId, projectId), gt(m.position, moved)))
    .orderBy(asc(m.position))

export interface Owned {
  id: string
  subscriberId: string
}

/** Purchases with their owners, by their own ids or those of the owners. */
export async function listOwned(
  { db, tables: { purchases: p } }: Handle,
  by: 'id' | 'subscriberId',
  ids: readonly string[],
): Promise<Owned[]> {
  const found: Owned[] = []
  for (let first = 0; first < ids.length; first += SOME)
    found.push(
      ...(await db
        .select({ id: p.id, subscriberId: p.subscriberId })
        .from(p)
        .where(inArray(p[by], ids.slice(first, first + SOME)))),
    )
  return found
}

/** Purchases of all projects by their owners, from the owner after one on. */
export const listOwnedAfter = (
  { db, tables: { purchases: p } }: Handle,
  after: string,
  limit: number,
): Promise<(Owned & { projectId: string })[]> =>
  db
    .select({ id: p.id, subscriberId: p.subscriberId, projectId: p.projectId })
    .from(p)
    .where(gt(p.subscriberId, after))
    .orderBy(asc(p.subscriberId))
    .limit(limit)

/** The entries of purchases that decide an answer. */
export async function listPersonEntries(
  handle: Handle,
  scope: SumScope,
  question: PeopleQuestion,
  purchaseIds: readonly string[],
): Promise<GroupedEntry[]> {
  const { figureEntries: f } = handle.tables
  const { purchaseId, position, at, charges, paidIn, paidOut } = f
  return bySome(purchaseIds, (ids) =>
    handle.db
      .select({ purchaseId, position, at, charges, paidIn, paidOut, group: groupOf(f, scope) })
      .from(f)
      .where(and(inArray(f.purchaseId, ids), counted(f, scope, isOwn(f, scope)), isRelevant(f, question))),
  )
}

export interface MoneyEntry {
  purchaseId: string
  position: number
  at: number
  charges: number
  net: number
  group: string | null
}

/** The entries of purchases with charges, and with money that was charged or given back. */
export async function listMoneyEntries(
  handle: Handle,
  scope: SumScope,
  purchaseIds: readonly string[],
): Promise<MoneyEntry[]> {
  const { figureEntries: f } = handle.tables
  const { purchaseId, position, at, charges } = f
  const net = sql`${f.gross} - ${f.refunds}`.mapWith(Number)
  const isMoney = or(ne(f.charges, 0), ne(f.gross, f.refunds))
  return bySome(purchaseIds, (ids) =>
    handle.db
      .select({ purchaseId, position, at, charges, net, group: groupOf(f, scope) })
      .from(f)
      .where(and(inArray(f.purchaseId, ids), counted(f, scope, isOwn(f, scope)), isMoney)),
  )
}

export const groupOf = (f: Entries, { groupBy }: SumScope) =>
  groupBy === null ? sql<string | null>`cast('' as text)` : sql<string | null>`${f[groupBy]}`

export async function bySome<Row>(ids: readonly string[], read: (ids: string[]) => Promise<Row[]>): Promise<Row[]> {
  const found: Row[] = []
  for (let first = 0; first < ids.length; first += SOME)
    for (const row of await read(ids.slice(first, first + SOME))) found.push(row)
  return found
}
