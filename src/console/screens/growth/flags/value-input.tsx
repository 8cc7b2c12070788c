import { useId } from 'react'
import type { FlagType } from '../../../../core/flag/names'
import { Select, TextInput } from '../../../kit/field'
import { JsonField } from '../../../kit/json-field'
import { NumberInput } from '../../../kit/number-input'

interface ValueInputProps {
  /** Of what the value is, before its label, for those who do not see where it stands. */
  of?: string
  label: string
  type: FlagType
  value: unknown
  onChange: (value: unknown) => void
  /** Values that the flag has elsewhere, offered while typing. */
  known?: readonly unknown[]
}

/** A value of the type of its flag. */
export function ValueInput({ of, label: own, type, value, onChange, known = [] }: ValueInputProps) {
  const list = useId()
  const label = of === undefined ? own : `${of}, ${own}`
  if (type === 'BOOLEAN') {
    return (
      <Select
        aria-label={label}
        className="font-mono"
        value={String(value)}
        onChange={({ target }) => onChange(target.value === 'true')}
        options={[
          ['true', 'true'],
          ['false', 'false'],
        ]}
      />
    )
  }
  if (type === 'JSON') return <JsonField of={of} label={own} value={value} onChange={onChange} rows={3} />
  if (type === 'NUMBER') {
    return (
      <NumberInput
        aria-label={label}
        className="font-mono"
        value={typeof value === 'number' ? value : Number.NaN}
        onChange={onChange}
      />
    )
  }
  const texts = [...new Set(known.filter((one) => typeof one === 'string'))]
  return (
    <>
      <TextInput
        aria-label={label}
        className="font-mono"
        list={list}
        value={String(value ?? '')}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={list}>
        {texts.map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </>
  )
}
