import { useEffect, useRef, useState } from 'react'

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
  /** This was saved: it is shown until the newer state of the server is there. Changes since then stay a draft. */
  settle: (revision: number | null, value: T) => void
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
  const known = useRef(saved.value)
  const current = withUidsOf(known.current, saved)
  if (!kept) known.current = current.value
  useEffect(() => writeKept(name, stored?.settledFrom === undefined ? stored : null), [name, stored])
  const { base, value } = kept ?? { base: current, value: current.value }
  return {
    value,
    base,
    isChanged: kept !== null && kept.settledFrom === undefined,
    discard: () => {
      writeKept(name, null) // The editor may be gone before its effect runs.
      setKept(null)
    },
    settle: (revision, value) => {
      writeKept(name, null)
      known.current = value
      setKept((now) => {
        if (now === null || now.base.revision === null) return null
        const base = { value, revision }
        return isSame(now.value, value) ? { base, value, settledFrom: saved.revision } : { base, value: now.value }
      })
    },
    set: (change) =>
      setKept((before) => {
        const from = before === null || isPast(before) ? { base: current, value: current.value } : before
        const next = change(from.value)
        return isSame(next, from.base.value) ? null : { base: from.base, value: next }
      }),
  }
}

/**
 * The saved object with the uids that its rows have on the screen, where it is the same: each row stays what it is, and
 * so does the focus in it.
 */
function withUidsOf<T>(known: T, saved: Saved<T>): Saved<T> {
  const isKnown = canonical(known, 'uid') === canonical(saved.value, 'uid')
  return isKnown ? { value: known, revision: saved.revision } : saved
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

const PERSON = 'svc.person'

/** Drafts of another person in this tab are deleted. The same person gets theirs back. */
export function keepDraftsOf(personId: string): void {
  const known = sessionStorage.getItem(PERSON)
  if (known === personId) return
  if (known !== null) forgetDrafts()
  sessionStorage.setItem(PERSON, personId)
}

export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('svc.')) sessionStorage.removeItem(key)
}

/** Whether two values are the same JSON; the order of members does not matter. */
export const isSame = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)

const canonical = (value: unknown, without?: string): string =>
  JSON.stringify(value, (name, member: unknown) => {
    if (name !== '' && name === without) return undefined
    return member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member
  }) ?? 'undefined'
