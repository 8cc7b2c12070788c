import { and, eq, gt, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import { localDays } from '../../../base/lib/local-days'
import type { Cell } from '../cells'
import { VALUE_NAMES, type ValueName } from '../model'
import { counted, GROUPS, type GroupSums, isOneOf, NO_SUMS, type SumScope, type Sums, sumCells, summand } from '../sums'
import { EVERY } from './batch'
import { EVERYTHING, lastPosition, listRolls } from './queries'
import { BEGINNING, type Parts, partsOf } from './spans'

const DAY = 86_400_000

/**
 * Sums of cells of which each starts where the one before it ends. Whole days and months come from the kept sums, and
 * everything else from the entries: the edges, what the kept sums lack, and what was not known yet. A remote database has
 * no read transaction here, so the sums may have changed in between: then all of it is read again.
 */
export async function readCells(handle: Handle, scope: SumScope, cells: readonly Cell[]): Promise<GroupSums[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const plan = await planOf(handle, scope, cells)
    if (!plan) break
    const sums = await readPlan(handle, plan)
    const [all] = await listRolls(handle, [])
    if (all?.turn === plan.turn) return sums
  }
  return sumCells(handle, scope, cells)
}

const ATTEMPTS = 3

async function readPlan(handle: Handle, plan: Plan): Promise<GroupSums[]> {
  return merged([
    ...(await keptSums(handle, plan)),
    ...(await edgeSums(handle, plan)),
    ...(await newSums(handle, plan)),
    ...(await lateSums(handle, plan)).map((one) => ({ ...one, sums: negative(one.sums) })),
    ...(await pendingSums(handle, plan)),
  ])
}

interface Plan {
  scope: SumScope
  cells: readonly Cell[]
  window: Cell
  parts: Parts
  /** Of the kept sums: it counts their changes. */
  turn: number
  /** Position of the last entry in the kept sums. */
  rolledUntil: number
  /** From here on entries count by what was known; before, what was known too late is taken away. */
  knownFrom: number
  /** Of what the kept sums are. */
  dimension: string
}

/** More than these are read entry by entry at once. */
const MAX_NEW = 50_000
const MAX_EDGES = 200

async function planOf(handle: Handle, scope: SumScope, cells: readonly Cell[]): Promise<Plan | null> {
  const window = windowOf(cells)
  if (handle.isClickhouse || scope.isRecount || scope.owners || !window) return null
  const rolls = await listRolls(handle, [scope.projectId])
  const all = rolls.find((one) => one.scope === EVERYTHING)
  const own = rolls.find((one) => one.scope === scope.projectId)
  if (all?.rolledUntil == null || own?.rolledUntil !== null || own.basis !== rollBasis()) return null
  if ((await lastPosition(handle)) - all.rolledUntil > MAX_NEW) return null
  const knownFrom = scope.knownBefore === null ? Number.POSITIVE_INFINITY : scope.knownBefore - DAY
  const parts = partsOf(cells, localDays(own.timezone), knownFrom)
  if (parts.entries.length > MAX_EDGES) return null
  const { rolledUntil, turn } = all
  return { scope, cells, window, parts, turn, rolledUntil, knownFrom, dimension: dimensionOf(scope) }
}

/** From the first to the last cell, if each starts where the one before it ends. */
function windowOf(cells: readonly Cell[]): Cell | null {
  const [first, last] = [cells[0], cells.at(-1)]
  const isWhole = cells.every(({ start, end }, index) => start < end && (cells[index + 1]?.start ?? end) === end)
  return first && last && isWhole ? { start: first.start, end: last.end } : null
}

function dimensionOf({ groupBy, filters }: SumScope): string {
  const named = GROUPS.filter((name) => name === groupBy || filters[name])
  return named.length > 1 ? EVERY : (named[0] ?? '')
}

type Entries = Handle['tables']['figureEntries']

async function keptSums(handle: Handle, { scope, cells, parts, dimension }: Plan): Promise<GroupSums[]> {
  if (parts.kept.length === 0) return []
  const { figureGroups: g, figureSums: s } = handle.tables
  const { projectId, environment, groupBy, filters, kinds } = scope
  const named = GROUPS.flatMap((name) => (filters[name] ? [isOneOf(g[name], filters[name])] : []))
  const spans = parts.kept.map(({ level, start, end }) => `(${level},${start},${end})`).join()
  const rows = await handle.db
    .select({
      cell: cellOf(sql`${s.start}`, cells),
      group: groupBy === null ? sql<string | null>`cast('' as text)` : sql<string | null>`${g[groupBy]}`,
      ...amounts(scope, (name) => sql`${s[name]}`),
    })
    .from(g)
    // SQLite keeps the order of a cross join: each part is one range of the key.
    .crossJoin(sql`(values ${sql.raw(spans)}) as parts`)
    .crossJoin(s)
    .where(
      and(
        eq(g.projectId, projectId),
        eq(g.environment, environment),
        eq(g.dimension, dimension),
        ...named,
        sql`${s.groupId} = ${g.id} and ${s.level} = parts.column1`,
        sql`${s.start} >= parts.column2 and ${s.start} < parts.column3`,
        kinds && inArray(s.kind, [...kinds]),
      ),
    )
    .groupBy(sql`1`, sql`2`)
  return rows.map(toGroupSums)
}

/** Entries of the parts that are no whole days, as far as the kept sums are. */
async function edgeSums(handle: Handle, plan: Plan): Promise<GroupSums[]> {
  const { scope, parts, rolledUntil, cells } = plan
  if (parts.entries.length === 0) return []
  const { figureEntries: f } = handle.tables
  const edges = parts.entries.map(({ start, end }) => `(${start},${end})`).join()
  const rows = await handle.db
    .select(selected(f, scope, cells))
    .from(sql`(values ${sql.raw(edges)}) as edges`)
    .crossJoin(f)
    .where(
      and(
        counted(f, { ...scope, knownBefore: null }),
        sql`${f.at} >= edges.column1 and ${f.at} < edges.column2`,
        lte(f.position, rolledUntil),
        isKnown(f, plan),
      ),
    )
    .groupBy(sql`1`, sql`2`)
  return rows.map(toGroupSums)
}

const isKnown = (f: Entries, { scope, knownFrom }: Plan): SQL | undefined =>
  scope.knownBefore === null ? undefined : or(lt(f.at, knownFrom), lt(f.knownAt, scope.knownBefore))

/** Entries of the window that the kept sums lack. They are found by their position. */
async function newSums(handle: Handle, plan: Plan): Promise<GroupSums[]> {
  const { scope, window, cells, rolledUntil } = plan
  const { figureEntries: f } = handle.tables
  const isNew = and(gt(f.position, rolledUntil), isWithin(f, window), isKnown(f, plan))
  return sumFound(handle, { scope, cells, isFound: isNew, by: null })
}

/** Entries of the days in which everything counts, that were known only after the time of the chart. */
async function lateSums(handle: Handle, { scope, window, cells, knownFrom }: Plan): Promise<GroupSums[]> {
  if (scope.knownBefore === null || window.start >= knownFrom) return []
  const { figureEntries: f } = handle.tables
  const end = Math.min(window.end, knownFrom)
  const isLate = and(
    sql`${f.knownAt} - ${f.at} > 86400000`,
    gte(f.knownAt, scope.knownBefore),
    isWithin(f, { start: window.start, end }),
  )
  return sumFound(handle, { scope, cells, isFound: isLate, by: f.projectId })
}

/** Trials that are not decided yet. Time decides too, so no sum of them is kept. */
async function pendingSums(handle: Handle, { scope, window, cells }: Plan): Promise<GroupSums[]> {
  const { figureEntries: f } = handle.tables
  const { knownBefore, now, names } = scope
  if (names && !names.includes('trialPending')) return []
  const since = knownBefore === null ? now : Math.min(now, knownBefore - 1)
  const isPending = and(
    gt(f.pendingUntil, since),
    isWithin(f, window),
    knownBefore === null ? undefined : lt(f.knownAt, knownBefore),
  )
  const columns = {
    cell: cellOf(sql`${f.at}`, cells),
    group: groupOf(f, scope),
    pending: sql<number | string>`sum(${summand(f, scope, 'trialPending')})`,
  }
  const isCounted = and(counted(f, { ...scope, knownBefore: null }), isPending)
  const rows = await handle.db.select(columns).from(f).where(isCounted).groupBy(sql`1`, sql`2`)
  return rows.map(({ cell, group, pending }) => ({
    cell: Number(cell),
    group,
    sums: { ...NO_SUMS, trialPending: Number(pending) },
  }))
}

interface Found {
  scope: SumScope
  cells: readonly Cell[]
  isFound: SQL | undefined
  /** The first column of the index by which entries are found; null = by their position. */
  by: Entries['projectId'] | null
}

async function sumFound(handle: Handle, { scope, cells, isFound, by }: Found): Promise<GroupSums[]> {
  const { figureEntries: f } = handle.tables
  // An expression is in no index, so that the one of time is not taken instead.
  const isOwn = by ? undefined : sql`${f.projectId} || '' = ${scope.projectId}`
  const isCounted = counted(f, { ...scope, knownBefore: null }, isOwn)
  const rows = await handle.db
    .select(selected(f, scope, cells))
    .from(f)
    .where(and(isCounted, isFound))
    .groupBy(sql`1`, sql`2`)
  return rows.map(toGroupSums)
}

const isWithin = (f: Entries, { start, end }: Cell): SQL =>
  sql`${f.at} + 0 >= ${sql.raw(String(Math.max(start, BEGINNING)))} and ${f.at} + 0 < ${sql.raw(String(end))}`

const selected = (f: Entries, scope: SumScope, cells: readonly Cell[]) => ({
  cell: cellOf(sql`${f.at}`, cells),
  group: groupOf(f, scope),
  ...amounts(scope, (name) => sql`${f[name]}`),
})

const groupOf = (f: Entries, { groupBy }: SumScope) =>
  groupBy === null ? sql<string | null>`cast('' as text)` : sql<string | null>`${f[groupBy]}`

const amounts = (scope: SumScope, of: (name: ValueName) => SQL) =>
  Object.fromEntries(namesOf(scope).map((name) => [name, sql<number | string>`sum(${of(name)})`.as(`sum_${name}`)]))

const namesOf = ({ names }: SumScope): readonly ValueName[] =>
  names ? VALUE_NAMES.filter((name) => names.includes(name)) : VALUE_NAMES

/** The number of the cell in which an instant is, found by halves. */
function cellOf(at: SQL, cells: readonly Cell[]): SQL<number> {
  const within = (from: number, to: number): SQL => {
    if (from === to) return sql.raw(String(from))
    const middle = Math.ceil((from + to) / 2)
    const start = sql.raw(String(cells[middle]?.start))
    return sql`case when ${at} < ${start} then ${within(from, middle - 1)} else ${within(middle, to)} end`
  }
  return within(0, cells.length - 1) as SQL<number>
}

function toGroupSums({ cell, group, ...given }: { cell: unknown; group: unknown }): GroupSums {
  const sums: Sums = { ...NO_SUMS }
  for (const [name, value] of Object.entries(given)) sums[name as ValueName] = Number(value)
  return { cell: Number(cell), group: group as string | null, sums }
}

const negative = (sums: Sums): Sums => added(NO_SUMS, sums, -1)

/** One sum for each cell and group. */
function merged(all: readonly GroupSums[]): GroupSums[] {
  const byName = new Map<string, GroupSums>()
  for (const one of all) {
    const name = one.group === null ? `${one.cell}` : `${one.cell} ${one.group}`
    const known = byName.get(name)
    byName.set(name, known ? { ...known, sums: added(known.sums, one.sums, 1) } : one)
  }
  return [...byName.values()]
}

function added(a: Sums, b: Sums, sign: 1 | -1): Sums {
  const sum = { ...a }
  for (const name of [...VALUE_NAMES, 'trialPending'] as const) sum[name] += sign * b[name]
  return sum
}

/** What the sums of a project depend on besides its entries and its time zone. */
export const rollBasis = (): string => [process.versions.icu, ...GROUPS, ...VALUE_NAMES].join(' ')
