import {
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useContext,
  useId,
} from 'react'
import { cx } from '../lib/class-names'
import { useText } from '../text/catalogue'
import { useFaultWords } from './use-fault-words'

const CONTROL = 'w-full rounded-control border border-field bg-raised px-2.5 text-md text-ink aria-invalid:border-bad'

interface Labels {
  id: string
  hint: string | undefined
  isInvalid: boolean
}

const LabelsContext = createContext<Labels | null>(null)

/** Messages by the path of the field; a form provides them from the refusal of the server. */
export const FieldErrors = createContext<Record<string, string>>({})

interface FieldProps {
  label: ReactNode
  /** Path of the field in the body of the call: its messages are shown below. */
  name?: string
  hint?: ReactNode
  isOptional?: boolean
  error?: string | null
  children: ReactNode
}

/** Label above, control, hint below. The control inside is connected with both. */
export function Field({ label, name, hint, isOptional = false, error, children }: FieldProps) {
  const t = useText('common')
  const id = useId()
  const errors = useContext(FieldErrors)
  const words = useFaultWords()
  const found = name === undefined ? [] : messagesFor(errors, name).map(words)
  const message = error ?? (found.length === 0 ? null : found.join(' '))
  return (
    <LabelsContext.Provider
      value={{ id, hint: hint || message ? `${id}-hint` : undefined, isInvalid: Boolean(message) }}
    >
      <div className="grid gap-1">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
          {isOptional && <span className="font-normal text-ink-3"> ({t.optional})</span>}
        </label>
        {children}
        {(hint || message) && (
          <p id={`${id}-hint`} className={cx('text-xs', message ? 'text-bad' : 'text-ink-2')}>
            {message ?? hint}
          </p>
        )}
      </div>
    </LabelsContext.Provider>
  )
}

/** Messages of the field itself and of what lies inside of it. */
export const messagesFor = (errors: Record<string, string>, name: string): string[] =>
  Object.entries(errors).flatMap(([path, message]) => (path === name || path.startsWith(`${name}.`) ? [message] : []))

function useLabels() {
  const labels = useContext(LabelsContext)
  return labels ? { id: labels.id, 'aria-describedby': labels.hint, 'aria-invalid': labels.isInvalid || undefined } : {}
}

export const TextInput = (props: InputHTMLAttributes<HTMLInputElement>) => (
  <input
    type="text"
    autoComplete="off"
    {...useLabels()}
    {...props}
    className={cx(CONTROL, 'h-9 text-ellipsis', props.className)}
  />
)

export const TextArea = (props: TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <textarea rows={4} {...useLabels()} {...props} className={cx(CONTROL, 'py-2', props.className)} />
)

/** Takes one file. */
export const FileInput = (props: Omit<InputHTMLAttributes<HTMLInputElement>, 'type'>) => (
  <input type="file" {...useLabels()} {...props} className={cx('w-full text-sm', props.className)} />
)

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  options: readonly (readonly [value: string, label: string])[]
}

export const Select = ({ options, ...props }: SelectProps) => (
  <select {...useLabels()} {...props} className={cx(CONTROL, 'h-9', props.className)}>
    {options.map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
)

interface SwitchProps {
  checked: boolean
  onChange: (checked: boolean) => void
  /** Its name, beside it. */
  label: ReactNode
  disabled?: boolean
  hideLabel?: boolean
}

export const Switch = ({ checked, onChange, label, disabled = false, hideLabel = false }: SwitchProps) => (
  <label className="inline-flex min-h-6 items-center gap-2 text-sm">
    <input
      type="checkbox"
      role="switch"
      aria-checked={checked}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
      className="relative h-[18px] w-[30px] shrink-0 appearance-none rounded-full border border-field bg-track transition-colors duration-100 before:absolute before:top-[2px] before:left-[2px] before:size-3 before:rounded-full before:bg-field before:transition-transform before:duration-100 checked:border-accent checked:bg-accent checked:before:translate-x-3 checked:before:bg-on-accent disabled:border-dashed"
    />
    <span className={cx(hideLabel && 'sr-only')}>{label}</span>
  </label>
)

export const Checkbox = ({ checked, onChange, label, disabled = false, hideLabel = false }: SwitchProps) => (
  <label className="inline-flex min-h-6 items-center gap-2 text-sm">
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
      className="size-4 shrink-0 accent-(--accent)"
    />
    <span className={cx(hideLabel && 'sr-only')}>{label}</span>
  </label>
)
