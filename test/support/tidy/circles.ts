/** One directed edge of a graph. */
export type Edge = readonly [from: string, to: string]

/** Every edge that is part of a circle, each with the path from its end back to its beginning. */
export function stepsInCircles(edges: readonly Edge[]): { edge: Edge; circle: string[] }[] {
  const next = new Map<string, Set<string>>()
  for (const [from, to] of edges) if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to))
  return [...next].flatMap(([from, targets]) =>
    [...targets].flatMap((to) => {
      const back = shortestWay(next, to, from)
      return back ? [{ edge: [from, to] as const, circle: [from, ...back] }] : []
    }),
  )
}

/** The shortest path between two nodes, both included. Null when there is no path. */
function shortestWay(next: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): string[] | null {
  const cameFrom = new Map<string, string | null>([[from, null]])
  for (const here of cameFrom.keys()) {
    if (here === to) return trail(cameFrom, to)
    for (const there of next.get(here) ?? []) if (!cameFrom.has(there)) cameFrom.set(there, here)
  }
  return null
}

function trail(cameFrom: ReadonlyMap<string, string | null>, end: string): string[] {
  const way: string[] = []
  for (let at: string | null = end; at !== null; at = cameFrom.get(at) ?? null) way.unshift(at)
  return way
}
