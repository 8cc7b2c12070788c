import { FilterChip, useFilterMode } from './filters'

type Options = readonly (readonly [value: string, label: string])[]

interface FilterSelectProps {
  label: string
  value: string
  options: Options
  onChange: (event: { target: { value: string } }) => void
  /** The option that is selected at first; without it the first of the options. */
  usual?: string
}

/** A small select of a row of filters: its label is inside. */
export function FilterSelect(props: FilterSelectProps) {
  return useFilterMode() === 'chips' ? <Chosen {...props} /> : <Choice {...props} />
}

function Chosen({ label, value, options, onChange, usual = options[0]?.[0] ?? '' }: FilterSelectProps) {
  if (value === usual) return null
  const name = options.find(([one]) => one === value)?.[1] ?? value
  return <FilterChip label={label} value={name} onRemove={() => onChange({ target: { value: usual } })} />
}

const Choice = ({ label, value, options, onChange }: FilterSelectProps) => (
  <label className="inline-flex h-8 items-center rounded-control border border-line-2 bg-surface pl-2.5 text-sm max-md:h-9">
    <span className="text-ink-2">{label}</span>
    <select
      value={value}
      onChange={onChange}
      className="h-full max-w-48 truncate rounded-control bg-transparent py-0 pr-1 pl-1.5 font-medium text-ink"
    >
      {options.map(([one, name]) => (
        <option key={one} value={one} className="bg-raised text-ink">
          {name}
        </option>
      ))}
    </select>
  </label>
)
