import { and, eq, gte, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { Cell } from './cells'
import type { KeptAnswers } from './kept/answer'
import { type EntryKind, VALUE_NAMES } from './model'

/** What the groups of metrics are made by; charts have more (wire 7.11). */
export const METRIC_GROUPS = ['store', 'product', 'country', 'platform'] as const
export const GROUPS = [...METRIC_GROUPS, 'offering', 'placement', 'variant', 'price'] as const
export type GroupBy = (typeof GROUPS)[number]

/** Which entries count. */
export interface SumScope {
  projectId: string
  environment: PurchaseEnvironment
  groupBy: GroupBy | null
  /** Each list names the values that count, null where entries name none; absent = all. */
  filters: { readonly [Name in GroupBy]?: readonly (string | null)[] }
  /** Only these purchases: a statement with their ids; absent = all. No sums that were made before know it. */
  owners?: SQL
  /** Only entries of these kinds; absent = all. */
  kinds?: readonly EntryKind[] | undefined
  /** Only what was known before this instant; null = all. */
  knownBefore: number | null
  /** The instant that decides whether a trial is still pending. */
  now: number
  /** Of the project; UTC without it. */
  timezone?: string
  /** The sums that are wanted, the others are zero; absent = all. */
  names?: readonly (keyof Sums)[]
  /** Counts every entry, also where its sums are kept: the answer is the same. */
  isRecount?: boolean
  /** Answers of before that can be brought up to date; without them everything is counted. */
  kept?: KeptAnswers
}

/** `trialPending`: trials that started, were not charged yet, and may still be. */
export const SUM_NAMES = [...VALUE_NAMES, 'trialPending'] as const

/** Sums of entries, of every value. */
export type Sums = Record<(typeof SUM_NAMES)[number], number>

export const NO_SUMS: Sums = Object.fromEntries(SUM_NAMES.map((name) => [name, 0])) as Sums

/** A sum of one group; `group` is '' when nothing is grouped, and null where the entries name none. */
export interface GroupSums {
  group: string | null
  cell: number
  sums: Sums
}

type Entries = Handle['tables']['figureEntries']
type GroupColumn = Entries[GroupBy] | Handle['tables']['figureGroups'][GroupBy]

/** Sums of each cell that has entries, by group. Reads many rows, so it runs in `readInThread`. */
export async function sumCells(handle: Handle, scope: SumScope, cells: readonly Cell[]): Promise<GroupSums[]> {
  if (handle.isClickhouse) return sumSpans(handle, scope, cells)
  const { figureEntries: f } = handle.tables
  const isInCell = sql`${f.at} >= cells.column2 and ${f.at} < cells.column3`
  const rows = await handle.db
    .select({ cell: sql<number>`cells.column1`, group: groupOf(f, scope), ...sumColumns(f, scope) })
    .from(sql`(values ${sql.raw(cells.map(({ start, end }, index) => `(${index},${start},${end})`).join())}) as cells`)
    // SQLite keeps the order of a cross join: each cell is one range of the index.
    .crossJoin(f)
    .where(and(counted(f, scope), isInCell))
    .groupBy(sql`1`, sql`2`)
  return rows.map(({ cell, group, ...sums }) => ({ cell: Number(cell), group, sums: toNumbers(sums) }))
}

/** The same in ClickHouse, where a join with the cells would look at each pair: entries are grouped by their cell's start. */
async function sumSpans(handle: Handle, scope: SumScope, cells: readonly Cell[]): Promise<GroupSums[]> {
  const { figureEntries: f } = handle.tables
  const [first, last] = [cells[0], cells.at(-1)]
  if (!first || !last) return []
  if (cells.some(({ start }, index) => index > 0 && cells[index - 1]?.end !== start)) throw new Error('cells with gaps')
  const starts = sql.raw(`[${cells.map(({ start }) => start).join()}]`)
  const rows = await handle.db
    .select({ start: sql<string>`roundDown(${f.at}, ${starts})`, group: groupOf(f, scope), ...sumColumns(f, scope) })
    .from(f)
    .where(and(counted(f, scope), gte(f.at, first.start), lt(f.at, last.end)))
    .groupBy(sql`1`, sql`2`)
  const cellAt = new Map(cells.map(({ start }, index) => [start, index]))
  return rows.map(({ start, group, ...sums }) => {
    const cell = cellAt.get(Number(start))
    if (cell === undefined) throw new Error('an entry of no cell')
    return { cell, group, sums: toNumbers(sums) }
  })
}

const groupOf = (f: Entries, { groupBy }: SumScope) =>
  groupBy === null ? sql<string | null>`cast('' as text)` : sql<string | null>`${f[groupBy]}`

const sumColumns = (f: Entries, scope: SumScope) =>
  Object.fromEntries(
    SUM_NAMES.map((name) => [
      name,
      sql<number | string>`coalesce(sum(${summand(f, scope, name)}), 0)`.as(`sum_${name}`),
    ]),
  )

/** What an entry adds to a sum. */
export function summand(f: Entries, { knownBefore, now }: SumScope, name: keyof Sums): SQL {
  if (name !== 'trialPending') return sql`${f[name]}`
  const isPending = sql`${f.pendingUntil} > ${knownBefore === null ? now : Math.min(now, knownBefore - 1)}`
  return sql`case when ${isPending} then ${f.trialStarts} else 0 end`
}

/** The condition on entries of a scope. `isOwn` takes the place of the one on the project. */
export function counted(
  f: Entries,
  { projectId, environment, filters, kinds, knownBefore, owners }: SumScope,
  isOwn: SQL = eq(f.projectId, projectId),
): SQL | undefined {
  const named = GROUPS.flatMap((name) => {
    const wanted = filters[name]
    return wanted ? [isOneOf(f[name], wanted)] : []
  })
  return and(
    isOwn,
    eq(f.environment, environment),
    knownBefore === null ? undefined : lt(f.knownAt, knownBefore),
    kinds && inArray(f.kind, [...kinds]),
    owners && sql`${f.purchaseId} in (${owners})`,
    ...named,
  )
}

export function isOneOf(column: GroupColumn, wanted: readonly (string | null)[]): SQL | undefined {
  const texts = wanted.filter((value) => value !== null)
  const isNamed = texts.length > 0 ? sql`${column} in ${texts}` : sql`false`
  return wanted.includes(null) ? or(isNamed, isNull(column)) : isNamed
}

const toNumbers = (sums: Record<string, unknown>): Sums =>
  Object.fromEntries(SUM_NAMES.map((name) => [name, Number(sums[name])])) as Sums
