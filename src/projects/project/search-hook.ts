import type { Context } from '../../base/context'
import type { ProjectState } from './state'

export const HIT_KINDS = [
  'subscriber',
  'purchase',
  'transaction',
  'product',
  'access',
  'offering',
  'flag',
  'experiment',
  'audience',
  'placement',
  'funnel',
  'endpoint',
  'member',
] as const

/** An object that a search found. */
export interface Hit {
  kind: (typeof HIT_KINDS)[number]
  id: string
  title: string
  subtitle: string | null
  /** Whether the text is one of its names, and not only the beginning of one. */
  isExact: boolean
}

/** The objects of a slice that a text names or begins to name; at most `limit`. */
export type SearchObjects = (ctx: Context, project: ProjectState, text: string, limit: number) => Promise<Hit[]>

declare module '../../base/state' {
  interface SliceHooks {
    searchObjects: SearchObjects
  }
}

interface Named {
  id: string
  title: string
  subtitle?: string | null
  /** The names by which it is found. */
  names: readonly string[]
}

/** Finds objects among a few, which are all in memory. The case of letters does not matter. */
export function findNamed(kind: Hit['kind'], objects: Iterable<Named>, text: string, limit: number): Hit[] {
  const wanted = text.toLowerCase()
  const hits: Hit[] = []
  for (const { id, title, subtitle = null, names } of objects) {
    const lower = [id, ...names].map((name) => name.toLowerCase())
    if (lower.some((name) => name.startsWith(wanted)))
      hits.push({ kind, id, title, subtitle, isExact: lower.includes(wanted) })
  }
  return hits.sort((a, b) => Number(b.isExact) - Number(a.isExact)).slice(0, limit)
}
