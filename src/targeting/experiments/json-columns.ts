import type { Variant } from './model'

// Columns that hold JSON, and that somebody may have broken by hand.

/** The types of events that convert, as they are stored; a column that was broken by hand converts nothing. */
export function readMetrics(stored: unknown): string[] {
  if (typeof stored === 'string') return readMetrics(parsedOrNull(stored))
  return Array.isArray(stored) ? stored.filter((type) => typeof type === 'string') : []
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** The variants as they are stored; none where they could not be compared, whatever is wrong with them. */
export function readVariants(stored: unknown): Variant[] {
  const variants = typeof stored === 'string' ? parsedOrNull(stored) : stored
  const isSound = Array.isArray(variants) && variants.length >= 2 && variants.every(isComparable)
  return isSound ? (variants as Variant[]) : []
}

const isComparable = (variant: Partial<Variant> | null): boolean =>
  typeof variant?.id === 'string' &&
  typeof variant.name === 'string' &&
  typeof variant.weight === 'number' &&
  variant.weight > 0
