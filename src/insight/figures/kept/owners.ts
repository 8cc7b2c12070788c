import type { Move, Owned } from './queries'

/** Who owned purchases when so many moves had been made; null = now. */
export function ownersAt(owned: readonly Owned[], moves: readonly Move[], moved: number | null): Map<string, string> {
  const owners = new Map(owned.map(({ id, subscriberId }) => [id, subscriberId]))
  if (moved === null) return owners
  // The first move after it tells who gave the purchase away.
  for (const { position, purchaseId, fromId } of moves.toReversed())
    if (position > moved) owners.set(purchaseId, fromId)
  return owners
}

/** Entries by the person who owned their purchase. */
export function byOwner<Entry extends { purchaseId: string }>(
  entries: readonly Entry[],
  owners: ReadonlyMap<string, string>,
): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>()
  for (const entry of entries) {
    const owner = owners.get(entry.purchaseId)
    if (owner === undefined) continue
    const own = found.get(owner)
    if (own) own.push(entry)
    else found.set(owner, [entry])
  }
  return found
}
