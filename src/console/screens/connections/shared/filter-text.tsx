import { FilterChip, useFilterMode } from '../../../kit/filters'
import { useTyped } from '../../../kit/use-typed'

interface FilterTextProps {
  label: string
  value: string
  onChange: (value: string) => void
}

const PAUSE_MS = 400

/** A small text field of a row of filters; it filters when the typing stops. */
export function FilterText({ label, value, onChange }: FilterTextProps) {
  const [text, type] = useTyped(value, (typed) => onChange(typed.trim()), PAUSE_MS)
  if (useFilterMode() === 'chips')
    return value === '' ? null : (
      <FilterChip label={label} value={`${label} ${value.slice(0, 12)}`} onRemove={() => onChange('')} />
    )
  return (
    <label className="inline-flex h-8 items-center rounded-control border border-line-2 bg-surface pl-2.5 text-sm max-md:h-9">
      <span className="whitespace-nowrap text-ink-2">{label}</span>
      <input
        type="text"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => type(target.value)}
        className="h-full w-44 min-w-0 rounded-control bg-transparent px-2 font-mono text-xs text-ink"
      />
    </label>
  )
}
