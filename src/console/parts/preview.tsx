import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { Schemas } from '../api/schemas'
import { Skeleton } from '../kit/empty'
import { FormFailure } from '../kit/failure'
import { Because } from '../kit/mark'
import { Chip, Dot } from '../kit/state'
import { useText } from '../text/catalogue'
import { Identicon } from './identicon'
import { useWords } from './words'

type AccessMap = Readonly<Record<string, Schemas['AccessEntry']>>
type Balances = Readonly<Record<string, number>>

export interface Side {
  id: string
  name: string
  access: { before: AccessMap; after: AccessMap }
  balances: { before: Balances; after: Balances }
}

const SETTLE_MS = 250

/**
 * Asks the server what an act would do, each time its terms rest. Nothing is written. The terms name everything that the
 * answer depends on, also whom and what it is about.
 */
export function usePreview<R>(terms: unknown, run: () => Promise<R>, isReady: boolean) {
  const key = JSON.stringify(terms)
  const [settled, settle] = useState(key)
  useEffect(() => {
    const timer = setTimeout(() => settle(key), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [key])
  const query = useQuery({
    queryKey: ['preview', key],
    queryFn: run,
    enabled: isReady && settled === key,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  return {
    data: isReady ? (query.data ?? null) : null,
    error: isReady ? query.error : null,
    // Refetching the preview of the same terms does not disable the button: a click in that moment would be lost.
    isWaiting: isReady && (settled !== key || query.isPending),
  }
}

/** Why an act cannot be done: the first of several reasons. */
export const firstReason = (...reasons: readonly (string | Error | null)[]): string | null => {
  const first = reasons.find((one) => one !== null) ?? null
  return first instanceof Error ? first.message : first
}

interface PreviewProps<R> {
  preview: ReturnType<typeof usePreview<R>>
  children: (data: R) => ReactNode
}

/** The part of a sheet that shows what would happen. */
export function Preview<R>({ preview, children }: PreviewProps<R>) {
  const t = useText('subscribers')
  const { data, error, isWaiting } = preview
  if (!data && !error && !isWaiting) return null
  return (
    <section aria-busy={isWaiting} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="flex flex-wrap items-center gap-2 text-sm font-medium">
        {t.whatHappens} <Chip tone="info">{t.nothingChanged}</Chip>
      </h3>
      {error && <FormFailure error={error} />}
      {data ? children(data) : !error && <Skeleton lines={3} />}
    </section>
  )
}

/** Before and after of one person: access and balances. */
export function SideTable({ side }: { side: Side }) {
  const { t } = useWords()
  const rows = rowsOf(side, useAccessWords())
  return (
    <div className="overflow-hidden rounded-control border border-line pt-2">
      <table className="w-full table-fixed text-sm" aria-label={side.name}>
        <caption className="px-3 pb-1.5 text-left font-medium">
          <span className="inline-flex max-w-full items-center gap-2">
            <Identicon id={side.id} size={18} />
            <span className="truncate" title={side.name}>
              {side.name}
            </span>
          </span>
        </caption>
        <thead>
          <tr className="h-8 bg-sunken text-left text-xs text-ink-2">
            <th scope="col" className="px-3 font-medium">
              <span className="sr-only">{t.accessTitle}</span>
            </th>
            <th scope="col" className="px-3 font-medium">
              {t.nowColumn}
            </th>
            <th scope="col" className="px-3 font-medium">
              {t.afterColumn}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, before, after, tone }) => (
            <tr key={name} className="h-8 border-t border-line">
              <th scope="row" className="truncate px-3 text-left font-normal" title={name}>
                {name}
              </th>
              <td className="px-3 py-1.5 text-ink-2">{before}</td>
              <td className="px-3 py-1.5">
                <span className="inline-flex items-center gap-2">
                  <Dot tone={tone} />
                  {before === after ? `${after}, ${t.stays}` : after}
                </span>
              </td>
            </tr>
          ))}
          {rows.length === 0 && (
            <tr className="h-8 border-t border-line">
              <td colSpan={3} className="px-3 text-ink-2">
                {t.noChange}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

function useAccessWords(): (entry: Schemas['AccessEntry'] | undefined) => string {
  const { t, day } = useWords()
  return (entry) => {
    if (!entry) return t.noAccess
    return t.shortActive(entry.expiresDate === null ? null : day(entry.expiresDate))
  }
}

type Row = { name: string; before: string; after: string; tone: 'good' | 'warn' | 'mute' | 'info' }

function rowsOf({ access, balances }: Side, word: (entry: Schemas['AccessEntry'] | undefined) => string): Row[] {
  const names = (a: object, b: object) => [...new Set([...Object.keys(a), ...Object.keys(b)])]
  const accesses = names(access.before, access.after).map((name): Row => {
    const [before, after] = [access.before[name], access.after[name]]
    return { name, before: word(before), after: word(after), tone: after ? 'good' : 'warn' }
  })
  const counts = names(balances.before, balances.after).map((name): Row => {
    const [before, after] = [balances.before[name] ?? 0, balances.after[name] ?? 0]
    return { name, before: String(before), after: String(after), tone: before === after ? 'mute' : 'info' }
  })
  return [...accesses, ...counts]
}

/** Which events an act would send. */
export function EventsOut({ types }: { types: readonly string[] }) {
  const t = useText('subscribers')
  if (types.length === 0) return <Because>{t.noEventsGoOut}</Because>
  return (
    <Because>
      {t.eventsGoOut(types.length)}{' '}
      {types.map((type, index) => (
        <code key={`${type}.${index}`} className="font-mono text-xs">
          {index > 0 && ', '}
          {type}
        </code>
      ))}
    </Because>
  )
}
