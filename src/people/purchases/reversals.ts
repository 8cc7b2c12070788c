import type { Marker, Observation } from '../../stores/observation'

/** What the store reported of a transaction when it signed it: taken back, or not. */
export interface SignedWord {
  at: number
  isRevoked: boolean
}

/**
 * The markers of a charge, with the reversals that no marker reports: what the store signed without the date of a refund or
 * a revocation, after everything that it signed with that date, shows that it was reversed.
 *
 * @param markers in the order of folding
 * @param words ascending
 */
export function withReversals(markers: readonly Marker[], words: readonly SignedWord[]): Marker[] {
  if (words.length === 0 || markers.length === 0) return [...markers]
  return markers.flatMap((marker, index) => {
    const next = markers[index + 1]
    // A reversal that is reported has its own instant.
    if (marker.kind === 'REVERSAL' || next?.kind === 'REVERSAL') return [marker]
    const at = standsAgainAt(words, marker.eventAt, next?.eventAt ?? Number.POSITIVE_INFINITY)
    return at === null ? [marker] : [marker, reversalOf(marker, at)]
  })
}

/** The date of a refund may lie before what was signed in the meantime, so only the last word counts. */
function standsAgainAt(words: readonly SignedWord[], from: number, until: number): number | null {
  const within = words.filter(({ at }) => at > from && at < until)
  const last = within.findLastIndex(({ isRevoked }) => isRevoked)
  return within[last + 1]?.at ?? null
}

const reversalOf = ({ transactionId, eventAt: revokedAt }: Marker, eventAt: number): Marker => ({
  kind: 'REVERSAL',
  id: `reversal:${transactionId}@${revokedAt}`,
  eventAt,
  transactionId,
  amount: null,
})

/** The words about each transaction, by its id; ascending. */
export function signedWords(ordered: readonly Observation[]): ReadonlyMap<string, readonly SignedWord[]> {
  const words = new Map<string, SignedWord[]>()
  for (const one of ordered) {
    if (one.kind !== 'REPORT' || one.transaction?.isRevoked === undefined) continue
    const { transactionId, isRevoked } = one.transaction
    const known = words.get(transactionId)
    if (known) known.push({ at: one.eventAt, isRevoked })
    else words.set(transactionId, [{ at: one.eventAt, isRevoked }])
  }
  return words
}
