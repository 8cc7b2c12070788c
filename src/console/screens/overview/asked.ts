import { queryOptions } from '@tanstack/react-query'
import { read } from '../../api/client'
import { queries, readAhead } from '../../api/queries'
import type { AnyEvent } from '../../api/schemas'
import { now } from '../../lib/clock'
import type { ScreenPlace } from '../../lib/screen'
import { dateIn, plusDays, windowBefore } from '../../parts/chart-window'

// What the overview asks for: by its parts, and ahead of them all.

export const OVERVIEW = '/dashboard/projects/{projectId}/overview'
export const EVENTS = '/dashboard/projects/{projectId}/events'
export const CHART = '/dashboard/projects/{projectId}/charts/{chartId}'
export const CALENDAR = '/dashboard/projects/{projectId}/subscriptions/renewal-calendar'
export const KPIS = '/dashboard/projects/{projectId}/subscriptions/kpis'
export const DELIVERIES = '/dashboard/projects/{projectId}/webhook-deliveries'
const SUBSCRIPTIONS = '/dashboard/projects/{projectId}/subscriptions'

export type Grain = 'day' | 'week'

/** How many days the chart of revenue shows. */
export const DAYS: Record<Grain, number> = { day: 30, week: 84 }

/** The start of the current minute, so that the early request equals that of the chart. */
export const thisMinute = (): number => now() - (now() % 60_000)

/** The revenue of the last days, and of as many before. */
export function revenueAsked({ path, project, environment }: ScreenPlace, grain: Grain, at: number) {
  const today = dateIn(project.timezone, at)
  const from = plusDays(today, 1 - DAYS[grain])
  const query = { environment, grain, from }
  const of = (more: object) => ({ params: { path: { ...path, chartId: 'revenue' }, query: { ...query, ...more } } })
  return { own: of({}), before: of(windowBefore({ from }, grain, at, today)) }
}

export const inEnvironment = ({ path, environment }: ScreenPlace) => ({ params: { path, query: { environment } } })

export const deadAsked = ({ path, environment }: ScreenPlace) => ({
  params: { path, query: { status: 'DEAD', environment, limit: 100 } as const },
})

/** So many events are shown. */
export const SHOWN = 12

/** The newest events of the environment. */
export const newestAsked = ({ path, environment }: ScreenPlace) =>
  queryOptions({
    queryKey: [EVENTS, { path, environment }],
    queryFn: async () => {
      const { items } = await firstPages<AnyEvent>(
        (from) => read(EVENTS, { params: { path, query: { environment, limit: SHOWN, ...from } } }),
        (all) => all.length >= SHOWN,
      )
      return items.slice(0, SHOWN)
    },
  })

/** People in trial, as many as a few calls bring. */
export function trialsAsked({ path, environment }: ScreenPlace) {
  const init = { path, query: { environment, status: 'TRIAL', limit: 200 } } as const
  return queryOptions({
    queryKey: [SUBSCRIPTIONS, init, 'first pages'],
    queryFn: () =>
      firstPages((from) => read(SUBSCRIPTIONS, { params: { ...init, query: { ...init.query, ...from } } })),
  })
}

/** Asks for all of it at once. What fails is asked for again by its part. */
export function askAhead(place: ScreenPlace): void {
  const revenue = revenueAsked(place, 'day', thisMinute())
  void Promise.allSettled([
    readAhead(OVERVIEW, { params: { path: place.path } }),
    readAhead(CHART, revenue.own),
    readAhead(CHART, revenue.before),
    queries.prefetchQuery(newestAsked(place)),
    readAhead(KPIS, inEnvironment(place)),
    readAhead(DELIVERIES, deadAsked(place)),
    queries.prefetchQuery(trialsAsked(place)),
    readAhead(CALENDAR, inEnvironment(place)),
  ])
}

interface Page<I> {
  items: readonly I[]
  nextCursor: string | null
}

/** A list that is read page by page until it is over, has enough, or was asked so often that it may be endless. */
async function firstPages<I>(
  readPage: (from: { cursor?: string }) => Promise<Page<I>>,
  isEnough: (items: readonly I[]) => boolean = () => false,
): Promise<{ items: I[]; isCut: boolean }> {
  const items: I[] = []
  let from: { cursor?: string } = {}
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await readPage(from)
    items.push(...page.items)
    if (page.nextCursor === null) return { items, isCut: false }
    if (isEnough(items)) break
    from = { cursor: page.nextCursor }
  }
  return { items, isCut: true }
}

const MOST_PAGES = 5
