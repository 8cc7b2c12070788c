import { type ReactNode, useContext, useId } from 'react'
import { FieldErrors, messagesFor } from '../../../kit/field'
import { useFaultWords } from '../../../kit/use-fault-words'
import { cx } from '../../../lib/class-names'

interface GroupProps {
  legend: ReactNode
  /** Path of the field in the body of the call: its messages are shown below the legend. */
  name?: string
  hint?: ReactNode
  children: ReactNode
}

/** Several controls that give one value. */
export function Group({ legend, name, hint, children }: GroupProps) {
  const id = useId()
  const errors = useContext(FieldErrors)
  const words = useFaultWords()
  const found = name === undefined ? [] : messagesFor(errors, name)
  const message = found.map(words).join(' ')
  return (
    <fieldset
      tabIndex={-1}
      className="grid content-start gap-1.5"
      aria-describedby={message || hint ? id : undefined}
      aria-invalid={message !== '' || undefined}
    >
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {(message !== '' || hint) && (
        <p id={id} className={cx('text-xs', message ? 'text-bad' : 'text-ink-2')}>
          {message || hint}
        </p>
      )}
      {children}
    </fieldset>
  )
}
