import type { Core } from './core'
import { invalid } from './error'
import { ATTRIBUTES } from './keys'

const MOST = 200

export type Attributes = Record<string, string | null>

/** Adds to the attributes that wait, of which the last value counts. Gives how many old ones were dropped for them. */
export function queueAttributes({ memory }: Core, changes: Attributes): number {
  const all: Attributes = memory.fresh(ATTRIBUTES) ?? {}
  for (const key in changes) {
    const value = changes[key] as string | null
    if (value !== null && typeof value !== 'string') throw invalid(`${key} must be a text or null`)
    delete all[key]
    all[key] = value
  }
  const kept = Object.entries(all)
  memory.set(ATTRIBUTES, Object.fromEntries(kept.slice(-MOST)))
  return Math.max(0, kept.length - MOST)
}

export const hasAttributes = ({ memory }: Core): boolean => Object.keys(memory.fresh(ATTRIBUTES) ?? {}).length > 0
