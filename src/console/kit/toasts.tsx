import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../text/catalogue'
import { Button } from './button'
import { useTopDialog } from './open-dialogs'
import { dropToast, TOASTS } from './toast'

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
                dropToast(id)
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
