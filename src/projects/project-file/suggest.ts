/** The known name that was most likely meant, or null: at most two letters off, and at most a third of them. */
export function suggest(given: string, known: readonly string[]): string | null {
  const limit = Math.min(2, Math.max(1, Math.floor(given.length / 3)))
  const ranked = known.map((name) => ({ name, distance: editDistance(given.toLowerCase(), name.toLowerCase()) }))
  const [best] = ranked.filter(({ distance }) => distance <= limit).sort((a, b) => a.distance - b.distance)
  return best?.name ?? null
}

/** Levenshtein: how many letters to insert, delete or replace. `acess` and `access` are 1 apart. */
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
