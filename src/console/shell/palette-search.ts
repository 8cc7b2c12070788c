import { useContext, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useRead } from '../api/queries'
import type { Schemas } from '../api/schemas'
import { formatDay, formatMoney } from '../lib/format'
import { ProjectContext, useReading } from '../lib/session'
import { usePersonName } from '../parts/person-link'
import { wordOf } from '../parts/words'
import { useText } from '../text/catalogue'
import type { Command } from './commands'
import { hrefOf, hrefOfId } from './objects'

const PAUSE_MS = 150
const SHORTEST = 2

/** Objects of the project that a text names. An id goes to its object at once, without the search. */
export function useFound(text: string): { found: Command[]; isSearching: boolean } {
  const t = useText('common')
  const here = useContext(ProjectContext)
  const [, go] = useLocation()
  const asked = text.trim()
  const query = usePaused(asked)
  const lineOf = useLine()
  const search = useRead(
    '/dashboard/projects/{projectId}/search',
    { params: { path: { projectId: here?.project.id ?? '' }, query: { q: query } } },
    { enabled: here !== null && query.length >= SHORTEST, keep: false },
  )
  if (!here) return { found: [], isSearching: false }
  const inEnvironment = (href: string): string =>
    here.environment === 'SANDBOX' ? `${href}${href.includes('?') ? '&' : '?'}env=sandbox` : href
  const direct = hrefOfId(here.base, asked)
  const hits = query === asked ? (search.data?.items ?? []) : []
  const found = hits.map((hit) => ({
    ...{ id: `hit ${hit.kind} ${hit.id}`, kind: t.kinds[hit.kind], ...lineOf(hit) },
    run: () => go(inEnvironment(hrefOf(here.base, hit))),
  }))
  const straight: Command[] =
    direct !== null && found.length === 0
      ? [{ id: `id ${asked}`, kind: t.paletteGo, title: asked, run: () => go(inEnvironment(direct)) }]
      : []
  const isSearching = asked.length >= SHORTEST && (query !== asked || search.isLoading)
  return { found: [...straight, ...found], isSearching }
}

type Hit = Schemas['SearchHit']

/** What a line states about a hit; of a purchase or a transaction whose it is, of what, for how much, and when. */
function useLine(): (hit: Hit) => { title: string; subtitle: string | null } {
  const { storeNames } = useText('common')
  const reading = useReading()
  const nameOfPerson = usePersonName()
  return ({ title, subtitle, person, product, amount, store, date }) => {
    if (date === undefined) return { title, subtitle }
    const parts = [
      person && nameOfPerson(person),
      product ? product.name || product.identifier : wordOf(storeNames, store ?? ''),
      amount && formatMoney(reading, amount.amountMicros, amount.currency),
      formatDay(reading, date),
    ]
    return { title: parts.filter(Boolean).join(' · '), subtitle: title }
  }
}

/** The text as it was when the typing paused. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
