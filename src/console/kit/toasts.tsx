import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../text/catalogue'
import { Button } from './button'
import { useTopDialog } from './dialog'
import { dropToast, TOASTS } from './toast'

/**
 * Where toasts appear: above everything. A modal dialog leaves only its own content usable, so they are put inside of
 * it.
 */
export function Toasts() {
  const t = useText('common')
  const toasts = TOASTS.use()
  const place = useRef<HTMLDivElement>(null)
  const dialog = useTopDialog()
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another dialog they are shown again
  useEffect(() => {
    // The dialog around it can have been closed in the same turn; then they are drawn again outside of it.
    if (!place.current?.isConnected) return
    // A popover that is shown again is above the dialog that was opened since.
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
      {toasts.map(({ id, text, detail, isBad, onUndo, offer = onUndo && { label: t.undo, run: onUndo } }) => (
        <div
          key={id}
          className="flex items-center gap-3 rounded-control border border-line bg-raised py-2 pr-2 pl-3 text-sm shadow-float animate-pop"
        >
          <span className="grid max-w-96 min-w-0 break-words">
            <span className={isBad ? 'text-bad' : undefined}>{text}</span>
            {detail && (
              <span lang="en" className="text-xs text-ink-2">
                {detail}
              </span>
            )}
          </span>
          {offer && (
            <Button
              onClick={() => {
                dropToast(id)
                offer.run()
              }}
            >
              {offer.label}
            </Button>
          )}
        </div>
      ))}
    </div>,
    dialog ?? document.body,
  )
}
