import type { Context } from '../../base/context'
import { integerAt, type Position } from '../../base/http/list'
import { type ScannedPage, scanRows } from '../../base/http/scan'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import { type LineFilter, listLines } from './list-queries'
import type { TransactionKind } from './model'
import { isOfKind } from './operator-wire'
import type { TransactionRow } from './queries'

/** Which transactions a list has. The window is about when they occurred. */
export interface TransactionFilter {
  lines: LineFilter
  kind?: TransactionKind | undefined
  store?: Store | undefined
  productId?: string | undefined
  environment?: PurchaseEnvironment | undefined
  /** Whether the catalogue has their product; absent = both. */
  listed?: 'true' | 'false' | undefined
}

/** How many transactions one request reads at most to find those that pass the filters. */
const MOST_READ = 1000

/** A page of a project's transactions, the newest first. */
export const listTransactionsPage = (
  ctx: Context,
  projectId: string,
  filter: TransactionFilter,
  page: { after: Position | null; limit: number },
): Promise<ScannedPage<TransactionRow>> => {
  const { kind, lines, listed } = filter
  const isWanted = (row: TransactionRow) =>
    isOfKind(filter, row) &&
    (kind === undefined || row.kind === kind) &&
    (listed === undefined || (listed === 'true') === isOfCatalogue(row))
  return scanRows(
    {
      positionOf: ({ occurredAt, id }) => [occurredAt, id],
      read: (after, limit) => listLines(ctx, projectId, lines, after && [integerAt(after, 0), String(after[1])], limit),
    },
    { ...page, most: MOST_READ, keep: async (rows) => rows.filter(isWanted) },
  )
}

/** A grant names accesses where it names no product, and no store sells it. */
const isOfCatalogue = ({ productId, store }: TransactionRow): boolean => productId !== null || store === 'MANUAL'
