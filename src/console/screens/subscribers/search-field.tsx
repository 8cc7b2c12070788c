import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

interface SearchFieldProps {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
}

const WAIT_MS = 250

/** A search that asks 250 ms after the last key, so that not every letter is a call. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const [text, type] = useTyped(value, onChange)
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

/**
 * What is in the field: what was typed and not yet told, else the value. Only typing starts the wait, and a value that
 * somebody else set (Back, "Clear filters") ends it: what was typed before must never be told after.
 */
function useTyped(value: string, onChange: (value: string) => void): [text: string, type: (text: string) => void] {
  const [typed, setTyped] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const told = useRef(value)
  const tell = useRef(onChange)
  tell.current = onChange
  useEffect(() => {
    if (value !== told.current) {
      clearTimeout(timer.current)
      setTyped(null)
    }
    told.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (text: string) => {
    clearTimeout(timer.current)
    setTyped(text)
    timer.current = setTimeout(() => {
      told.current = text
      tell.current(text)
      setTyped(null)
    }, WAIT_MS)
  }
  return [typed ?? value, type]
}
