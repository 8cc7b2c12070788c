import { type FormEvent, useState } from 'react'
import { Button } from '../kit/button'
import { DateInput } from '../kit/date-input'
import { useFilterMode } from '../kit/filters'
import { useParams } from '../lib/url-state'
import { useText } from '../text/catalogue'
import { NAMES } from './audit-query'

const BOX = 'h-8 rounded-control border border-line-2 bg-surface px-2.5 text-sm max-md:h-9'

/** Typed filters apply with Enter or the button; days apply at once. */
export function AuditFilters() {
  const t = useText('settings')
  const c = useText('common')
  const [params, set] = useParams()
  const applied = NAMES.map((name) => params.get(name) ?? '').join('\n')
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    set(Object.fromEntries(NAMES.map((name) => [name, String(typed.get(name) ?? '').trim() || null])))
  }
  const isChips = useFilterMode() === 'chips'
  const isChosen = [...NAMES, 'from', 'to'].some((name) => params.has(name))
  const clear = isChosen && (
    <Button variant="quiet" onClick={() => set({ actor: null, action: null, target: null, from: null, to: null })}>
      {t.clearFilters}
    </Button>
  )
  if (isChips) return clear
  return (
    <form className="flex flex-wrap items-center gap-2" onSubmit={onSubmit} role="search" key={applied}>
      {NAMES.map((name) => (
        <Typed key={name} name={name} label={t.auditFilter[name]} initial={params.get(name) ?? ''} />
      ))}
      {(['from', 'to'] as const).map((name) => (
        <span key={name} className={`${BOX} inline-flex items-center gap-2 text-ink-2`}>
          {c[name]}
          <DateInput
            isBare
            aria-label={c[name]}
            value={params.get(name) ?? ''}
            onChange={(day) => set({ [name]: day || null })}
          />
        </span>
      ))}
      <Button type="submit">{c.apply}</Button>
      {clear}
    </form>
  )
}

function Typed({ name, label, initial }: { name: string; label: string; initial: string }) {
  const [value, setValue] = useState(initial)
  return (
    <input
      name={name}
      aria-label={label}
      placeholder={label}
      value={value}
      autoComplete="off"
      onChange={(event) => setValue(event.target.value)}
      className={`${BOX} w-40 max-md:w-full`}
    />
  )
}
