import { Search } from 'lucide-react'
import { useFilterMode } from '../../kit/filters'
import { useTyped } from '../../kit/use-typed'

interface SearchFieldProps {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
}

const WAIT_MS = 250
const SHORTEST = 2

/** The request for a text: without the blanks around a copied id. One letter is not searched for yet. */
export function termOf(text: string): string {
  const term = text.trim()
  return term.length < SHORTEST ? '' : term
}

/** A search that asks 250 ms after the last key, so that not every letter is a call. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const [text, type] = useTyped(value, onChange, WAIT_MS)
  // On phones it is next to the Filter button.
  if (useFilterMode() === 'sheet') return null
  return (
    <label className="relative inline-flex min-w-0 max-w-full grow items-center md:max-w-96">
      <span className="sr-only">{label}</span>
      <Search aria-hidden size={14} className="pointer-events-none absolute left-2.5 text-ink-3" />
      <input
        type="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        value={text}
        placeholder={placeholder}
        onChange={(event) => type(event.target.value)}
        className="h-8 w-full min-w-0 rounded-control border border-field bg-raised pr-2 pl-8 text-sm text-ink max-md:h-9"
      />
    </label>
  )
}
