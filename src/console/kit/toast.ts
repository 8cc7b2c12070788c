import { makeStore } from '../lib/store'

interface Toast {
  id: number
  text: string
  isBad?: boolean
  onUndo?: () => void
}

export const TOASTS = makeStore<readonly Toast[]>([])
const SHOWN_MS = 5000
const UNDO_MS = 10_000
let last = 0

/** Says what was done, for five seconds; with a way back for ten. */
export function toast(text: string, options: Omit<Toast, 'id' | 'text'> = {}): void {
  last += 1
  const one = { id: last, text, ...options }
  TOASTS.set([...TOASTS.get().slice(-2), one])
  setTimeout(() => dropToast(one.id), options.onUndo ? UNDO_MS : SHOWN_MS)
}

export const dropToast = (id: number): void => TOASTS.set(TOASTS.get().filter((one) => one.id !== id))
