import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { ApiFailure } from '../api/failure'
import { useText } from '../text/catalogue'
import { Button } from './button'
import { FormFailure } from './failure'
import { FieldErrors } from './field'

interface FormProps {
  onSubmit: () => void
  /** The words on the button that submits. */
  submit: string
  busy: boolean
  error: Error | null
  onCancel?: () => void
  isDangerous?: boolean
  /** Why it cannot be submitted, such as a role that is too low. */
  reason?: string | null
  /** Its effect is not shown yet. */
  isWaiting?: boolean
  /** The button is as wide as the form, where the form is all there is. */
  isWide?: boolean
  children: ReactNode
}

/** One column of fields. Messages of the server appear at their fields, and the first such field gets the focus. */
export function Form(props: FormProps) {
  const { onSubmit, submit, busy, error, onCancel, isDangerous, reason, isWaiting, isWide, children } = props
  const t = useText('common')
  const form = useRef<HTMLFormElement>(null)
  const fields = error instanceof ApiFailure ? error.fields : {}
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  const onForm = (event: FormEvent) => {
    event.preventDefault()
    if (!focusUnreadable(form.current)) onSubmit()
  }
  return (
    <form ref={form} onSubmit={onForm} className="grid gap-4" noValidate>
      <FormFailure error={error} />
      <FieldErrors.Provider value={fields}>{children}</FieldErrors.Provider>
      <div className={isWide ? 'grid pt-1' : 'flex justify-end gap-2 border-t border-line pt-4'}>
        {onCancel && <Button onClick={onCancel}>{t.cancel}</Button>}
        <Button
          type="submit"
          variant={isDangerous ? 'danger' : 'primary'}
          busy={busy}
          disabled={isWaiting}
          reason={reason}
        >
          {submit}
        </Button>
      </div>
    </form>
  )
}

/** A field whose text cannot be read gets the focus, and nothing is sent. */
export function focusUnreadable(root: ParentNode | null): boolean {
  const field = root?.querySelector<HTMLElement>('[data-unreadable]') ?? null
  field?.focus()
  return field !== null
}
