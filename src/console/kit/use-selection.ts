import { useState } from 'react'

export interface Selection<R> {
  has: (key: string) => boolean
  toggle: (key: string) => void
  clear: () => void
  /** The chosen rows that are on the screen, in its order. */
  rows: readonly R[]
}

/** Rows that the person has selected. Rows that a filter took away are not among them. */
export function useSelection<R>(items: readonly R[], keyOf: (row: R) => string): Selection<R> {
  const [keys, setKeys] = useState<ReadonlySet<string>>(NONE)
  return {
    has: (key) => keys.has(key),
    toggle: (key) => setKeys((before) => toggled(before, key)),
    clear: () => setKeys(NONE),
    rows: keys.size === 0 ? [] : items.filter((row) => keys.has(keyOf(row))),
  }
}

const NONE: ReadonlySet<string> = new Set()

function toggled(before: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(key)) after.add(key)
  return after
}
