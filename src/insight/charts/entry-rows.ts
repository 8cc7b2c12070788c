import { and, desc, gte, inArray, lt, lte, max, min, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

import { counted, SUM_NAMES, type SumScope, summand } from '../figures/sums'
import type { ChartRow, ReadRows, RowPage } from './chart'
import { contributionOf, type Flow, type Stock, type Weights } from './figure'

// These statements read many rows, so they run in `readInThread`.

/**
 * The rows of a value that is a sum of entries: for a flow each money line or change of state, for a stock each purchase.
 * What was taken back later, and so adds nothing, is no row.
 */
export function entryRows(figure: Flow | Stock): ReadRows {
  return async (handle, scope, { start, end }, page) => {
    const { figureEntries: f } = handle.tables
    const weights = contributionOf(figure)
    const within =
      figure.kind === 'flow'
        ? and(gte(f.at, start), lt(f.at, end), page.after ? lte(f.at, page.after.at) : undefined)
        : lt(f.at, figure.side === 'start' ? start : end)
    const isCounted = and(counted(f, scope), within)
    const found = await findGroups(handle, { scope, weights, isCounted, isFlow: figure.kind === 'flow' }, page)
    return describe(handle, found, isCounted)
  }
}

interface Asked {
  scope: SumScope
  weights: Weights
  isCounted: SQL | undefined
  isFlow: boolean
}

/** What makes one row: the entries of one line or change, or all of a purchase. */
interface Group {
  purchaseId: string
  kind: string | null
  key: string | null
  at: number
  tie: number
  contribution: number
}

async function findGroups(handle: Handle, asked: Asked, { after, limit }: RowPage): Promise<Group[]> {
  const { figureEntries: f } = handle.tables
  const { isCounted, isFlow } = asked
  const total = sql<number | string>`sum(${weighed(handle, asked)})`
  const [at, tie] = [max(f.at), min(f.position)]
  const isAfter = after && or(lt(at, after.at), and(sql`${at} = ${after.at}`, lt(tie, Number(after.tie))))
  const nothing = sql<null>`null`
  const rows = await handle.db
    .select({
      purchaseId: f.purchaseId,
      kind: isFlow ? f.kind : nothing,
      key: isFlow ? f.key : nothing,
      at: at.mapWith(Number),
      tie: tie.mapWith(Number),
      contribution: total.mapWith(Number),
    })
    .from(f)
    .where(isCounted)
    .groupBy(f.purchaseId, ...(isFlow ? [f.kind, f.key, f.at] : []))
    .having(and(ne(total, 0), isAfter ?? undefined))
    .orderBy(desc(at), desc(tie))
    .limit(limit)
  return rows as Group[]
}

/** What an entry adds to the figure, as SQL. */
function weighed(handle: Handle, { scope, weights }: Asked): SQL {
  const { figureEntries: f } = handle.tables
  const parts = SUM_NAMES.flatMap((name) => {
    const weight = weights[name] ?? 0
    return weight === 0 ? [] : [sql`${sql.raw(String(weight))} * ${summand(f, scope, name)}`]
  })
  return sql.join(parts, sql` + `)
}

type Entry = Pick<
  Handle['tables']['figureEntries']['$inferSelect'],
  'purchaseId' | 'kind' | 'key' | 'at' | 'position' | 'transactionId' | 'product' | 'store'
>

async function describe(handle: Handle, groups: readonly Group[], isCounted: SQL | undefined): Promise<ChartRow[]> {
  if (groups.length === 0) return []
  const { figureEntries: f, purchases: p } = handle.tables
  const ids = [...new Set(groups.map(({ purchaseId }) => purchaseId))]
  const entries = await handle.db
    .select({
      ...{ purchaseId: f.purchaseId, kind: f.kind, key: f.key, at: f.at, position: f.position },
      ...{ transactionId: f.transactionId, product: f.product, store: f.store },
    })
    .from(f)
    .where(and(inArray(f.purchaseId, ids), isCounted))
  const owners = await handle.db.select({ id: p.id, owner: p.subscriberId }).from(p).where(inArray(p.id, ids))
  const ownerOf = new Map(owners.map(({ id, owner }) => [id, owner]))
  const entriesOf = Map.groupBy(entries, ({ purchaseId }) => purchaseId)
  return groups.map((group): ChartRow => {
    const last = lastOf((entriesOf.get(group.purchaseId) ?? []).filter((one) => isPart(group, one)))
    return {
      purchaseId: group.purchaseId,
      transactionId: last?.transactionId ?? null,
      subscriberId: ownerOf.get(group.purchaseId) ?? null,
      at: group.at,
      productIdentifier: last?.product ?? null,
      store: last?.store ?? null,
      contribution: group.contribution,
      tie: String(group.tie),
    }
  })
}

const isPart = ({ kind, key, at }: Group, entry: Entry): boolean =>
  kind === null || (entry.kind === kind && entry.key === key && entry.at === at)

/** Of the newest instant: what was recorded last. A change of product is recorded with the new product last. */
const lastOf = (entries: readonly Entry[]): Entry | undefined =>
  entries.toSorted((a, b) => a.at - b.at || a.position - b.position).at(-1)
