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
  /** The draft was saved: it is shown until the newer state of the server is there. */
  settle: (revision: number | null) => void
}

interface Kept<T> {
  base: Saved<T>
  value: T
  /** The draft is saved, and this is the revision that the server showed before. */
  settledFrom?: number | null
}

/**
 * The unsaved state of one object. It is kept in the tab, so it survives a reload; without changes it follows the
 * server.
 */
export function useDraft<T>(name: string, saved: Saved<T>): Draft<T> {
  const [stored, setKept] = useState<Kept<T> | null>(() => readKept<T>(name))
  const isPast = (one: Kept<T> | null) => one?.settledFrom !== undefined && one.settledFrom !== saved.revision
  const kept = isPast(stored) ? null : stored
  useEffect(() => writeKept(name, stored?.settledFrom === undefined ? stored : null), [name, stored])
  const { base, value } = kept ?? { base: saved, value: saved.value }
  return {
    value,
    base,
    isChanged: kept !== null && kept.settledFrom === undefined,
    discard: () => setKept(null),
    settle: (revision) =>
      setKept((now) =>
        now === null || now.base.revision === null
          ? null
          : { base: { value: now.value, revision }, value: now.value, settledFrom: saved.revision },
      ),
    set: (change) =>
      setKept((before) => {
        const from = before === null || isPast(before) ? { base: saved, value: saved.value } : before
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
