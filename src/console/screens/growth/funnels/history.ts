import { useState } from 'react'
import { type Draft, isSame } from '../../../kit/draft'

/** How many steps can be taken back. */
export const MOST_STEPS = 50

export interface History<T> {
  past: readonly T[]
  future: readonly T[]
  /** What the last step changed: typing in one field is one step. */
  key: string | null
}

export const EMPTY_HISTORY: History<never> = { past: [], future: [], key: null }

/** Notes what was there before a change. A change with the key of the last one is a part of it. */
export function noted<T>(history: History<T>, before: T, key: string | null): History<T> {
  const isSameStep = key !== null && key === history.key && history.past.length > 0
  const past = isSameStep ? history.past : [...history.past, before].slice(-MOST_STEPS)
  return { past, future: [], key }
}

/** One step back or forward: the history after it, and what is there then; null = there is none. */
export function stepped<T>(
  history: History<T>,
  now: T,
  way: 'back' | 'forward',
): { history: History<T>; value: T } | null {
  const { past, future } = history
  const value = way === 'back' ? past.at(-1) : future[0]
  if (value === undefined) return null
  return way === 'back'
    ? { value, history: { past: past.slice(0, -1), future: [now, ...future], key: null } }
    : { value, history: { past: [...past, now], future: future.slice(1), key: null } }
}

export interface Undoable<T> {
  /** Changes the draft. Changes in a row with the same key are one step. */
  change: (how: (value: T) => T, key?: string) => void
  undo: () => void
  redo: () => void
  canUndo: boolean
  canRedo: boolean
}

/** The steps of a draft, to take back and to take again. */
export function useHistory<T>(draft: Draft<T>): Undoable<T> {
  const [history, setHistory] = useState<History<T>>(EMPTY_HISTORY)
  const step = (way: 'back' | 'forward') => {
    const next = stepped(history, draft.value, way)
    if (!next) return
    setHistory(next.history)
    draft.set(() => next.value)
  }
  return {
    change: (how, key) => {
      if (isSame(how(draft.value), draft.value)) return
      setHistory((before) => noted(before, draft.value, key ?? null))
      draft.set(how)
    },
    undo: () => step('back'),
    redo: () => step('forward'),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
  }
}
