/** The known name that was most likely meant, or null. It differs by at most two letters and a third of the letters. */
export function suggest(given: string, known: readonly string[]): string | null {
  const limit = Math.min(2, Math.max(1, Math.floor(given.length / 3)))
  // The distance is at least the difference of the lengths. A key of a megabyte is never compared letter by letter.
  const similar = known.filter((name) => Math.abs(name.length - given.length) <= limit)
  const ranked = similar.map((name) => ({ name, distance: editDistance(given.toLowerCase(), name.toLowerCase()) }))
  const [best] = ranked.filter(({ distance }) => distance <= limit).sort((a, b) => a.distance - b.distance)
  return best?.name ?? null
}

/** Levenshtein distance: the number of letters to insert, delete or replace. From `acess` to `access` it is 1. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
