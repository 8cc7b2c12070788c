import { makeStore } from '../lib/store'

interface Toast {
  id: number
  text: string
  /** What the server said, in English. */
  detail?: string
  isBad?: boolean
  onUndo?: () => void
  /** Something that can follow, with the name of its button. */
  offer?: { label: string; run: () => void }
}

export const TOASTS = makeStore<readonly Toast[]>([])
const SHOWN_MS = 5000
const OFFER_MS = 10_000
let last = 0

/** A message about a finished action, for five seconds; with a button for ten. */
export function toast(text: string, options: Omit<Toast, 'id' | 'text'> = {}): void {
  last += 1
  const one = { id: last, text, ...options }
  TOASTS.set([...TOASTS.get().slice(-2), one])
  setTimeout(() => dropToast(one.id), options.onUndo || options.offer ? OFFER_MS : SHOWN_MS)
}

export const dropToast = (id: number): void => TOASTS.set(TOASTS.get().filter((one) => one.id !== id))
