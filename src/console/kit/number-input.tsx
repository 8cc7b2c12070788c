import { type InputHTMLAttributes, useState } from 'react'
import { useText } from '../text/catalogue'
import { TextInput } from './field'
import { readNumber } from './read-number'

interface NumberInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'onBlur'> {
  /** NaN for an empty field. */
  value: number
  /** Only numbers that can be read and are within the bounds are reported. */
  onChange: (value: number) => void
  min?: number
  max?: number
  isWhole?: boolean
}

/**
 * A number as text, so that `0.05` and `-1` can be typed. While it cannot be read, the value does not change and
 * nothing can be saved. What was read is written in its plain form when the field is left.
 */
export function NumberInput({ value, onChange, min, max, isWhole = false, ...props }: NumberInputProps) {
  const t = useText('common')
  const [typed, setTyped] = useState<{ text: string; value: number } | null>(null)
  const limits = { min, max, isWhole }
  // A value that was changed elsewhere, such as by discarding, replaces the text.
  const text = typed !== null && Object.is(typed.value, value) ? typed.text : Number.isNaN(value) ? '' : String(value)
  const isUnreadable = readNumber(text, limits) === null
  return (
    <span className="grid min-w-0 flex-1 gap-0.5">
      <TextInput
        inputMode={isWhole ? 'numeric' : 'decimal'}
        {...props}
        {...(isUnreadable && { 'aria-invalid': true })}
        data-unreadable={isUnreadable ? '' : undefined}
        value={text}
        onChange={({ target }) => {
          const next = readNumber(target.value, limits)
          setTyped({ text: target.value, value: next ?? value })
          if (next !== null) onChange(next)
        }}
        onBlur={() => isUnreadable || setTyped(null)}
      />
      {isUnreadable && (
        <span role="alert" className="text-xs text-bad">
          {min !== undefined && max !== undefined ? t.notNumberWithin(min, max) : t.notNumber}
        </span>
      )}
    </span>
  )
}
