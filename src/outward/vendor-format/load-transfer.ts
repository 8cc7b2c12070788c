import type { Context } from '../../base/context'
import { findTransfer } from '../../people/subscribers/service'
import { dataOf, type FormatEvent, type TransferData } from './event'
import type { TransferFacts } from './facts'
import { idsOf } from './identity'
import { keysOf } from './load-person'
import { listRows, listTransfersInto, type TransferRow } from './queries'

/** Both sides of a `subscriber.transferred`, as they were before it. Null when the transfer has no row. */
export async function loadTransfer(ctx: Context, event: FormatEvent): Promise<TransferFacts | null> {
  const { transferId } = dataOf<TransferData>(event)
  const transfer = transferId === undefined ? null : await findTransfer(ctx, event.projectId, transferId)
  if (!transfer) return null
  const { from, to } = await sidesBefore(ctx, transfer)
  if (event.cause.kind !== 'UNDO') return { from, to }
  // An undo takes the transferred purchases from the target; until then a merged source was a part of it.
  const held = transfer.moved.isMerge ? to.filter((id) => !from.includes(id)) : to
  return { from: held, to: from }
}

/** The ids of both sides of a transfer before it. */
export async function sidesBefore(ctx: Context, transfer: TransferRow): Promise<{ from: string[]; to: string[] }> {
  const { fromSubscriberId, toSubscriberId } = transfer
  const groups = await groupsBefore(ctx, transfer)
  const rows = await listRows(ctx, transfer.projectId, [...groups.keys()])
  const idsOfSide = (side: string, label: string | null): string[] => {
    const ofSide = rows.filter(({ id }) => groups.get(id) === side)
    const isErased = rows.some(({ id, erasedAt }) => id === side && erasedAt !== null)
    const ids = idsOf({ subscriberId: side, isErased, keys: keysOf(ofSide), label })
    return ids.length > 0 ? ids : [side]
  }
  const labels = labelsBefore(transfer)
  const labelOf = (side: string, known: string | null | undefined): string | null =>
    known === undefined ? (rows.find(({ id }) => id === side)?.appUserId ?? null) : known
  return {
    from: idsOfSide(fromSubscriberId, labelOf(fromSubscriberId, labels.from)),
    to: idsOfSide(toSubscriberId, labelOf(toSubscriberId, labels.to)),
  }
}

/** The labels before a merge; undefined where the row says it, because the transfer moved no label. */
function labelsBefore({ moved }: TransferRow): { from?: string | null; to?: string | null } {
  if (!moved.isMerge) return {}
  return { from: moved.label, ...(moved.labelBefore === undefined ? {} : { to: moved.labelBefore }) }
}

/**
 * The rows that belonged to each side before a transfer: row id -> id of the side. One query for each level of merges.
 */
async function groupsBefore(ctx: Context, transfer: TransferRow): Promise<Map<string, string>> {
  const { fromSubscriberId, toSubscriberId, createdAt } = transfer
  const groups = new Map([fromSubscriberId, toSubscriberId].map((id) => [id, id]))
  for (let level = [...groups.keys()]; level.length > 0; ) {
    const earlier = await listTransfersInto(ctx, level, createdAt)
    level = []
    for (const one of earlier) {
      const side = groups.get(one.toSubscriberId)
      if (side === undefined || !isMergeBefore(one, transfer) || groups.has(one.fromSubscriberId)) continue
      groups.set(one.fromSubscriberId, side)
      level.push(one.fromSubscriberId)
    }
  }
  return groups
}

/** Ids are in the order in which they were made, so they decide within one millisecond. */
function isMergeBefore(
  { id, moved, createdAt, undoneAt }: Pick<TransferRow, 'id' | 'moved' | 'createdAt' | 'undoneAt'>,
  transfer: TransferRow,
): boolean {
  const isStanding = undoneAt === null || undoneAt > transfer.createdAt
  return moved.isMerge && isStanding && createdAt <= transfer.createdAt && id < transfer.id
}
