import { parseJson } from '../../base/lib/json'
import type { Variant } from './model'

// Columns with JSON, which may have been broken by hand.

/** The types of events that count as conversions, from the stored column; a broken column gives none. */
export function readMetrics(stored: unknown): string[] {
  if (typeof stored === 'string') return readMetrics(parseJson(stored))
  return Array.isArray(stored) ? stored.filter((type) => typeof type === 'string') : []
}

/** The variants of the stored column; none where anything is wrong with them, because they could not be compared. */
export function readVariants(stored: unknown): Variant[] {
  const variants = typeof stored === 'string' ? parseJson(stored) : stored
  const isSound = Array.isArray(variants) && variants.length >= 2 && variants.every(isComparable)
  return isSound ? (variants as Variant[]) : []
}

const isComparable = (variant: Partial<Variant> | null): boolean =>
  typeof variant?.id === 'string' &&
  typeof variant.name === 'string' &&
  typeof variant.weight === 'number' &&
  variant.weight > 0
