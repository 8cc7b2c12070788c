/** The members of a transfer that decide ownership. An undone transfer moved its purchases back at `undoneAt`. */
export interface PastTransfer {
  fromSubscriberId: string
  toSubscriberId: string
  moved: { purchaseIds: readonly string[] }
  createdAt: number
  undoneAt: number | null
}

interface Move {
  at: number
  /** True when the subscriber got the purchase; false when they lost it. */
  isGain: boolean
}

/** Ids of the purchases that these transfers moved. */
export const movedPurchases = (transfers: readonly PastTransfer[]): Set<string> =>
  new Set(transfers.flatMap(({ moved }) => moved.purchaseIds))

/**
 * Whether a subscriber owned a purchase at an instant. `transfers` are all transfers from and to the subscriber, oldest
 * first. The last move of the purchase up to the instant decides; without one, the first move after it; without any
 * move, the present owner.
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
