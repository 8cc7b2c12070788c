import { useState } from 'react'
import { useText } from '../text/catalogue'
import { isSame } from './draft'
import { Field, TextArea } from './field'

interface JsonFieldProps {
  /** Of what it is, before the label, for those who do not see where the field stands. */
  of?: string | undefined
  label: string
  value: unknown
  onChange: (value: unknown) => void
  hint?: string
  name?: string
  rows?: number
  disabled?: boolean
  /** Only an object is taken, not a list or a scalar. */
  isObject?: boolean
}

/** JSON as text. While it cannot be read, the value does not change and nothing can be saved. */
export function JsonField({
  of,
  label,
  value,
  onChange,
  hint,
  name,
  rows = 4,
  disabled,
  isObject = false,
}: JsonFieldProps) {
  const t = useText('common')
  const [typed, setTyped] = useState({ text: write(value), value })
  const meant = readJson(typed.text, isObject)
  // A value that was changed elsewhere, such as by discarding, replaces the text.
  const isOwn = isSame(meant ? meant.value : typed.value, value)
  const text = isOwn ? typed.text : write(value)
  const read = readJson(text, isObject)
  return (
    <Field
      label={
        <>
          {of !== undefined && <span className="sr-only">{of}, </span>}
          {label}
        </>
      }
      hint={hint}
      {...(name !== undefined && { name })}
      error={read ? null : isObject ? t.notJsonObject : t.notJson}
    >
      <TextArea
        value={text}
        rows={Math.min(MOST_ROWS, Math.max(rows, text.split('\n').length))}
        disabled={disabled}
        spellCheck={false}
        className="font-mono text-xs"
        data-unreadable={read ? undefined : ''}
        onChange={({ target }) => {
          const next = readJson(target.value, isObject)
          setTyped({ text: target.value, value: next ? next.value : value })
          if (next) onChange(next.value)
        }}
      />
    </Field>
  )
}

/** A longer text scrolls. */
const MOST_ROWS = 16

const write = (value: unknown): string => JSON.stringify(value, null, 2) ?? ''

function readJson(text: string, isObject: boolean): { value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    const isPlain = value !== null && typeof value === 'object' && !Array.isArray(value)
    return isObject && !isPlain ? null : { value }
  } catch {
    return null
  }
}
