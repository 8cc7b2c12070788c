/** A transfer as ownership needs it; an undone one moved back at `undoneAt`. */
export interface PastTransfer {
  fromSubscriberId: string
  toSubscriberId: string
  moved: { purchaseIds: readonly string[] }
  createdAt: number
  undoneAt: number | null
}

interface Move {
  at: number
  /** Whether the subscriber got the purchase, or lost it. */
  isGain: boolean
}

/** Purchases that a subscriber ever got or gave away by a transfer. */
export const movedPurchases = (transfers: readonly PastTransfer[]): Set<string> =>
  new Set(transfers.flatMap(({ moved }) => moved.purchaseIds))

/**
 * Whether a subscriber owned a purchase at an instant. Transfers from and to the subscriber, oldest first, tell all of
 * it: the last one up to then decides, else the first one after it, else who owns the purchase now.
 */
export function ownedAt(
  subscriberId: string,
  purchase: { id: string; subscriberId: string },
  transfers: readonly PastTransfer[],
  at: number,
): boolean {
  const about = transfers.filter(({ moved }) => moved.purchaseIds.includes(purchase.id))
  const moves = about.flatMap((transfer) => movesOf(subscriberId, transfer)).sort((a, b) => a.at - b.at)
  const before = moves.findLast((move) => move.at <= at)
  if (before) return before.isGain
  const [after] = moves
  return after ? !after.isGain : purchase.subscriberId === subscriberId
}

function movesOf(subscriberId: string, { toSubscriberId, createdAt, undoneAt }: PastTransfer): Move[] {
  const isGain = toSubscriberId === subscriberId
  const move = { at: createdAt, isGain }
  return undoneAt === null ? [move] : [move, { at: undoneAt, isGain: !isGain }]
}
