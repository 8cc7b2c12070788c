import type { Context } from '../../base/context'
import type { PersonRef, ProductRef } from './refs'
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
  /** Whether the text is one of its names, and not only a part of one. */
  isExact: boolean
  /** What a purchase or a transaction is about. */
  sale?: Sale
}

/** Whose purchase it is, of what, for how much and when. */
export interface Sale {
  /** Null for what was sold outside of the catalogue. */
  subscriberId: string | null
  purchaseId: string
  person: PersonRef | null
  product: ProductRef | null
  store: string
  environment: string
  amount: { amountMicros: number; currency: string } | null
  date: number
}

/** The objects of a slice that a text names or starts to name; at most `limit`. */
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

/**
 * Finds objects among a few, which are all in memory: those that the text names, then those that it starts, then those
 * that have it inside (of members only the prefix counts: they are few). The case of letters does not matter.
 */
export function findNamed(kind: Hit['kind'], objects: Iterable<Named>, text: string, limit: number): Hit[] {
  const wanted = text.toLowerCase()
  const ranked = [...objects].map((one) => ({
    ...one,
    rank: rankOf(
      [one.id, ...one.names].map((name) => name.toLowerCase()),
      wanted,
      kind !== 'member',
    ),
  }))
  return ranked
    .filter(({ rank }) => rank < NOT_FOUND)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ id, title, subtitle = null, rank }) => ({ kind, id, title, subtitle, isExact: rank === 0 }))
}

const NOT_FOUND = 3

function rankOf(names: readonly string[], wanted: string, isInside: boolean): number {
  if (names.includes(wanted)) return 0
  if (names.some((name) => name.startsWith(wanted))) return 1
  // Ids are not searched inside: their letters mean nothing.
  return isInside && names.slice(1).some((name) => name.includes(wanted)) ? 2 : NOT_FOUND
}
