import { type FormEvent, useState } from 'react'
import { Button } from '../../kit/button'
import { useFilterMode } from '../../kit/filters'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'

/** The search of a list; its word is the member `q` of the address. */
export function SearchBox({ label }: { label: string }) {
  const c = useText('common')
  const [applied, setApplied] = useParam('q')
  const [typed, setTyped] = useState(applied)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setApplied(typed.trim() || null)
  }
  if (useFilterMode() === 'sheet') return null
  return (
    <form role="search" onSubmit={onSubmit} className="flex items-center gap-2 max-md:w-full">
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="h-8 w-64 min-w-0 rounded-control border border-line-2 bg-surface px-2.5 text-sm max-md:h-9 max-md:flex-1"
      />
      <Button type="submit">{c.search}</Button>
    </form>
  )
}
