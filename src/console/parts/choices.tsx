import type { ReactNode } from 'react'
import { cx } from '../lib/class-names'

interface ChoiceProps {
  kind: 'radio' | 'checkbox'
  name: string
  checked: boolean
  onChange: (checked: boolean) => void
  title: ReactNode
  hint?: ReactNode
  aside?: ReactNode
  disabled?: boolean
}

/** One of several things to choose, with what distinguishes them. */
export const Choice = ({ kind, name, checked, onChange, title, hint, aside, disabled = false }: ChoiceProps) => (
  <label
    className={cx(
      'flex min-w-0 items-center gap-3 rounded-control border px-3 py-2 text-sm',
      checked ? 'border-accent bg-accent-soft' : 'border-line',
      disabled && 'border-dashed text-ink-3',
    )}
  >
    <input
      type={kind}
      name={name}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
      className="size-4 shrink-0 accent-(--accent)"
    />
    <span className="min-w-0 flex-1">
      <span className="block truncate font-medium">{title}</span>
      {hint !== undefined && <span className="block truncate text-xs text-ink-2">{hint}</span>}
    </span>
    {aside !== undefined && <span className="shrink-0 tabular-nums">{aside}</span>}
  </label>
)

interface ChoicesProps {
  label: ReactNode
  /** There can be dozens: they scroll, so that what follows stays near. */
  isMany?: boolean
  children: ReactNode
}

export const Choices = ({ label, isMany = false, children }: ChoicesProps) => (
  <fieldset className="grid min-w-0 gap-1.5">
    <legend className="pb-1 text-sm font-medium">{label}</legend>
    <div className={cx('grid min-w-0 gap-1.5', isMany && '-m-1 max-h-80 overflow-y-auto p-1')}>{children}</div>
  </fieldset>
)
