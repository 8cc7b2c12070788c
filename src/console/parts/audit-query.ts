import { instantOf } from './instants'

export const NAMES = ['actor', 'action', 'target'] as const
type Filter = (typeof NAMES)[number] | 'from' | 'to'

/** The filters in the address as the query of the call. Days start in the zone of the reader; the last day is included. */
export function filtersOf(params: URLSearchParams, zone: string): Partial<Record<Filter, string>> {
  const found = NAMES.map((name) => [name, params.get(name)?.trim() ?? ''] as const)
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  return Object.fromEntries(
    [...found, ['from', startOf(from, zone)] as const, ['to', startOf(dayAfter(to), zone)] as const].filter(
      ([, value]) => value !== '',
    ),
  )
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && Number.isFinite(Date.parse(text))

const DAY = 86_400_000
const dayAfter = (day: string): string => (isDay(day) ? new Date(Date.parse(day) + DAY).toISOString().slice(0, 10) : '')

const startOf = (day: string, zone: string): string => (isDay(day) ? (instantOf(`${day}T00:00`, zone) ?? '') : '')
