/** How many flags may read each other in a row. */
export const MAX_LEVELS = 3

/** `CIRCLE`: the first key is also the last one. `TOO_DEEP`: one flag more than may read each other in a row. */
export interface DependencyFault {
  reason: 'CIRCLE' | 'TOO_DEEP'
  chain: readonly string[]
}

/** What is wrong with flags that read other flags, by key; null = nothing. Keys that are no flags end a chain. */
export function dependencyFault(reads: ReadonlyMap<string, readonly string[]>): DependencyFault | null {
  const done = new Map<string, readonly string[]>()
  let deepest: readonly string[] = []
  for (const key of reads.keys()) {
    const found = longestFrom(key, reads, done, [])
    if (!Array.isArray(found)) return found as DependencyFault
    if (found.length > deepest.length) deepest = found
  }
  return deepest.length > MAX_LEVELS + 1 ? { reason: 'TOO_DEEP', chain: deepest.slice(0, MAX_LEVELS + 2) } : null
}

/** The longest chain that starts with a flag, or a circle. */
function longestFrom(
  key: string,
  reads: ReadonlyMap<string, readonly string[]>,
  done: Map<string, readonly string[]>,
  above: readonly string[],
): readonly string[] | DependencyFault {
  const known = done.get(key)
  if (known) return known
  const at = above.indexOf(key)
  if (at >= 0) return { reason: 'CIRCLE', chain: [...above.slice(at), key] }
  const path = [...above, key]
  let longest: readonly string[] = []
  for (const next of reads.get(key) ?? []) {
    const found = longestFrom(next, reads, done, path)
    if (!Array.isArray(found)) return found
    if (found.length > longest.length) longest = found
  }
  const chain = [key, ...longest]
  done.set(key, chain)
  return chain
}

/** The sentence about a fault; it names the flags in their order. */
export const dependencySentence = ({ reason, chain }: DependencyFault): string =>
  reason === 'CIRCLE'
    ? `Flags read each other in a circle: ${chain.join(' → ')}; take one of these conditions out`
    : `Flags read each other over more than ${MAX_LEVELS} levels: ${chain.join(' → ')}; take one of these conditions out`
