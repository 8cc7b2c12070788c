import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { makeStore } from '../lib/store'
import { useText } from '../text/catalogue'
import { Button } from './button'
import { useTopDialog } from './open-dialogs'

interface Toast {
  id: number
  text: string
  isBad?: boolean
  onUndo?: () => void
}

const TOASTS = makeStore<readonly Toast[]>([])
const SHOWN_MS = 5000
const UNDO_MS = 10_000
let last = 0

/** Says what was done, for five seconds; with a way back for ten. */
export function toast(text: string, options: Omit<Toast, 'id' | 'text'> = {}): void {
  last += 1
  const one = { id: last, text, ...options }
  TOASTS.set([...TOASTS.get().slice(-2), one])
  setTimeout(() => drop(one.id), options.onUndo ? UNDO_MS : SHOWN_MS)
}

const drop = (id: number): void => TOASTS.set(TOASTS.get().filter((one) => one.id !== id))

/** Where toasts appear: above everything. A modal dialog leaves only its own content usable, so they stand inside of it. */
export function Toasts() {
  const t = useText('common')
  const toasts = TOASTS.use()
  const place = useRef<HTMLDivElement>(null)
  const dialog = useTopDialog()
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another dialog they are shown again
  useEffect(() => {
    // The dialog around it can have been closed in the same turn; then they are drawn again outside of it.
    if (!place.current?.isConnected) return
    // A popover that is shown again stands above the dialog that was opened since.
    place.current.hidePopover()
    if (toasts.length > 0) place.current.showPopover()
  }, [toasts, dialog])
  return createPortal(
    <div
      ref={place}
      popover="manual"
      role="status"
      className="fixed top-auto right-4 bottom-4 left-auto m-0 grid gap-2 bg-transparent p-0"
    >
      {toasts.map(({ id, text, isBad, onUndo }) => (
        <div
          key={id}
          className="flex items-center gap-3 rounded-control border border-line bg-raised py-2 pr-2 pl-3 text-sm shadow-float animate-pop"
        >
          <span className={isBad ? 'text-bad' : undefined}>{text}</span>
          {onUndo && (
            <Button
              onClick={() => {
                drop(id)
                onUndo()
              }}
            >
              {t.undo}
            </Button>
          )}
        </div>
      ))}
    </div>,
    dialog ?? document.body,
  )
}
