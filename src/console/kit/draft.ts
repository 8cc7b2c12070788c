import { useEffect, useState } from 'react'

/** An object as the server has it. The revision is null for one that does not exist yet. */
export interface Saved<T> {
  value: T
  revision: number | null
}

export interface Draft<T> {
  value: T
  /** What the draft is compared with: the object when the first change was made. */
  base: Saved<T>
  isChanged: boolean
  set: (change: (value: T) => T) => void
  discard: () => void
}

interface Kept<T> {
  base: Saved<T>
  value: T
}

/**
 * The unsaved state of one object. It is kept in the tab, so it survives a reload; without changes it follows the
 * server.
 */
export function useDraft<T>(name: string, saved: Saved<T>): Draft<T> {
  const [kept, setKept] = useState<Kept<T> | null>(() => readKept<T>(name))
  useEffect(() => writeKept(name, kept), [name, kept])
  const { base, value } = kept ?? { base: saved, value: saved.value }
  return {
    value,
    base,
    isChanged: kept !== null,
    discard: () => setKept(null),
    set: (change) =>
      setKept((before) => {
        const from = before ?? { base: saved, value: saved.value }
        const next = change(from.value)
        return isSame(next, from.base.value) ? null : { base: from.base, value: next }
      }),
  }
}

const keyOf = (name: string): string => `svc.draft.${name}`

function readKept<T>(name: string): Kept<T> | null {
  const text = sessionStorage.getItem(keyOf(name))
  if (text === null) return null
  try {
    return JSON.parse(text) as Kept<T> // Only `writeKept` writes there.
  } catch {
    return null
  }
}

function writeKept(name: string, kept: object | null): void {
  if (kept === null) sessionStorage.removeItem(keyOf(name))
  else sessionStorage.setItem(keyOf(name), JSON.stringify(kept))
}

/** Whether two values are the same JSON; the order of members does not matter. */
export const isSame = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  ) ?? 'undefined'
