import { X } from 'lucide-react'
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { cx } from '../lib/class-names'
import { makeStore } from '../lib/store'
import { useText } from '../text/catalogue'
import { Button, IconButton } from './button'
import { FormFailure } from './failure'
import { Field, TextInput } from './field'

interface DialogProps {
  title: ReactNode
  onClose: () => void
  /** `sheet` is at the right edge, for parts of the object on the screen. */
  kind?: 'modal' | 'sheet'
  isWide?: boolean
  /** Only its own buttons close it, because its content is shown once. */
  isFirm?: boolean
  children: ReactNode
}

const KINDS = {
  modal: 'm-auto max-h-[90dvh] w-[min(480px,calc(100vw-32px))] rounded-dialog animate-pop',
  sheet: 'my-0 mr-0 ml-auto h-dvh max-h-dvh w-[min(520px,100vw)] max-w-none animate-slide',
}

/** A native dialog. Escape, a click beside it and its cross close it; the focus goes back to where it was. */
export function Dialog({ title, onClose, kind = 'modal', isWide = false, isFirm = false, children }: DialogProps) {
  const t = useText('common')
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useOpenDialog(dialog)
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    if (element) firstOf(element)?.focus()
    return () => (before instanceof HTMLElement ? before.focus() : undefined)
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      {...(isFirm && { closedby: 'none' })}
      onCancel={(event) => {
        // A dialog within this one, or a file field, is cancelled for itself.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (!isFirm) onClose()
      }}
      // Some browsers close a dialog at the second Escape, whatever the first was answered.
      onClose={(event) => {
        if (event.target === event.currentTarget) isFirm ? event.currentTarget.showModal() : onClose()
      }}
      onMouseDown={(event) => !isFirm && isBeside(event) && onClose()}
      className={cx(
        'border border-line bg-surface p-0 shadow-float',
        KINDS[kind],
        isWide && (kind === 'modal' ? 'w-[min(760px,calc(100vw-32px))]' : 'w-[min(760px,100vw)]'),
      )}
    >
      <header className="sticky top-0 z-10 flex items-center justify-between gap-4 border-b border-line bg-surface py-2 pr-2 pl-4">
        <h2 id={heading} className="text-lg font-semibold">
          {title}
        </h2>
        {!isFirm && (
          <IconButton label={t.close} onClick={onClose}>
            <X aria-hidden size={16} />
          </IconButton>
        )}
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">{children}</div>
    </dialog>
  )
}

/** Whether it was pressed outside of the dialog's box. Its scroll bar and its empty part belong to it. */
function isBeside({ target, currentTarget, clientX: x, clientY: y }: MouseEvent<HTMLElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return target === currentTarget && (x < left || x > right || y < top || y > bottom)
}

/** The first focus: the marked element, else the first field. Without one the browser chooses the cross. */
const firstOf = (dialog: HTMLElement): HTMLElement | null =>
  dialog.querySelector<HTMLElement>('[data-first]') ??
  dialog.querySelector<HTMLElement>(':is(input, select, textarea):enabled:not([readonly])')

interface ConfirmProps {
  title: ReactNode
  /** Its effect, as a table or in words. */
  children: ReactNode
  /** The words on the button: what will be done, such as `Refund $9.99`. */
  action: string
  onConfirm: () => void
  onClose: () => void
  busy: boolean
  error?: Error | null
  /** The identifier that must be typed, for what can never be undone. */
  typed?: string
  reason?: string | null
}

/** Asks before something that costs or cannot be undone. The focus is on Cancel. */
export function Confirm({
  title,
  children,
  action,
  onConfirm,
  onClose,
  busy,
  error = null,
  typed,
  reason,
}: ConfirmProps) {
  const t = useText('common')
  const [word, setWord] = useState('')
  const missing = typed !== undefined && word !== typed
  return (
    <Dialog title={title} onClose={onClose}>
      <FormFailure error={error} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm text-ink-2">{children}</div>
      {typed !== undefined && (
        <Field label={t.typeToConfirm(typed)}>
          <TextInput value={word} onChange={(event) => setWord(event.target.value)} className="font-mono" />
        </Field>
      )}
      <div className="flex justify-end gap-2 pt-2">
        <Button data-first onClick={onClose}>
          {t.cancel}
        </Button>
        <Button variant="danger" onClick={onConfirm} busy={busy} disabled={missing} reason={reason}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}

/** A secret that the server shows only once. */
export function SecretShown({
  title,
  onClose,
  children,
}: {
  title: ReactNode
  onClose: () => void
  children: ReactNode
}) {
  const t = useText('common')
  return (
    <Dialog title={title} onClose={onClose} isFirm>
      <p className="text-sm text-ink-2">{t.secretOnce}</p>
      {children}
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          {t.stored}
        </Button>
      </div>
    </Dialog>
  )
}

const OPEN = makeStore<readonly HTMLElement[]>([])

/** Counts a modal dialog as open while its component is on the screen. */
function useOpenDialog(dialog: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    OPEN.set([...OPEN.get(), element])
    return () => OPEN.set(OPEN.get().filter((one) => one !== element))
  }, [dialog])
}

/** The dialog on top; everything outside of it can be neither clicked nor read. */
export const useTopDialog = (): HTMLElement | null => OPEN.use().at(-1) ?? null
