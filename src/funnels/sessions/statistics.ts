import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { FunnelDocument, FunnelField } from '../../core/funnel/model'
import { isObject } from '../../core/funnel/reading'
import { fieldsOf } from '../../core/funnel/way'
import { findFunnelVersion, getFunnel } from '../publication/service'
import {
  countAnswers,
  countPaths,
  countSessions,
  countSteps,
  type Grouping,
  listPaid,
  medianTimes,
  type Range,
} from './operator-queries'

interface Sum {
  amountMicros: number
  currency: 'USD'
}

/** What was paid for a session until now, less what was given back. */
export interface SessionSale {
  sessionId: string
  usdMicros: number
  isSandbox: boolean
}

declare module '../../base/state' {
  interface SliceHooks {
    /** The money of sessions. */
    funnelSales: (handle: Handle, range: Range) => Promise<SessionSale[]>
  }
}

export interface AnswerCount {
  value: string | number | boolean
  count: number
}

export interface FieldStatistics {
  id: string
  /** Sessions that answered it. */
  answered: number
  /** Empty for texts, dates and addresses. */
  answers: AnswerCount[]
}

export interface WayStatistics {
  /** A page, by its id. */
  to: string
  sessions: number
}

export interface PageStatistics {
  id: string
  views: number
  advances: number
  /** The share of views in sessions that stopped there, neither paid nor at the end; null without views. */
  dropRate: number | null
  medianSeconds: number | null
  ways: WayStatistics[]
  fields: FieldStatistics[]
}

interface Totals {
  sessions: number
  completed: number
  paid: number
  revenue: Sum
  sandboxRevenue: Sum
}

export interface FunnelStatistics extends Totals {
  pages: PageStatistics[]
  groups: (Totals & { key: string | null })[]
}

/** What visitors did in a funnel (funnels 10): of sessions that started in the time. */
export async function funnelStatistics(
  ctx: Context,
  projectId: string,
  range: Range,
  groupBy: Grouping | null,
): Promise<FunnelStatistics> {
  const funnel = await getFunnel(ctx, projectId, range.funnelId)
  const version = funnel.currentVersionNo
  const current = version === null ? null : await findFunnelVersion(ctx, funnel.id, version)
  const { pages } = current?.document ?? funnel.draft
  const read = async (handle: Handle): Promise<FunnelStatistics> => {
    const sales: SessionSale[] = []
    for (const list of ctx.hooks.funnelSales ?? []) sales.push(...(await list(handle, range)))
    const [{ key: _key, ...all } = NOTHING] = await totalsBy(handle, range, null, sales)
    const groups = groupBy === null ? [] : await totalsBy(handle, range, groupBy, sales)
    return { ...all, pages: await pageStatistics(handle, range, pages), groups }
  }
  return ctx.storage.readInThread(read, { group: projectId })
}

const usd = (amountMicros: number): Sum => ({ amountMicros, currency: 'USD' })
const NOTHING = { key: null, sessions: 0, completed: 0, paid: 0, revenue: usd(0), sandboxRevenue: usd(0) }

async function totalsBy(handle: Handle, range: Range, by: Grouping | null, sales: readonly SessionSale[]) {
  const counts = await countSessions(handle, range, by)
  const paid = new Map((await listPaid(handle, range, by)).map(({ id, key }) => [id, key]))
  return counts.map((row) => {
    const own = sales.filter(({ sessionId }) => paid.has(sessionId) && paid.get(sessionId) === row.key)
    const sumOf = (isSandbox: boolean) =>
      own.reduce((sum, sale) => (sale.isSandbox === isSandbox ? sum + sale.usdMicros : sum), 0)
    return { ...row, revenue: usd(sumOf(false)), sandboxRevenue: usd(sumOf(true)) }
  })
}

async function pageStatistics(handle: Handle, range: Range, pages: FunnelDocument['pages']): Promise<PageStatistics[]> {
  const steps = new Map((await countSteps(handle, range)).map((row) => [row.pageId, row]))
  const medians = await medianTimes(handle, range)
  const ways = waysOf(await countPaths(handle, range))
  const answers = groupAnswers(await countAnswers(handle, range))
  const known = pages.map((page) => ({ id: page.id, fields: fieldsOf(page) }))
  const former = [...steps.keys()].filter((id) => !pages.some((page) => page.id === id)).sort()
  return [...known, ...former.map((id) => ({ id, fields: [] }))].map(({ id, fields }) => {
    const { views = 0, advances = 0, stops = 0 } = steps.get(id) ?? {}
    const median = medians.get(id)
    return {
      ...{ id, views, advances, dropRate: views === 0 ? null : stops / views },
      medianSeconds: median === undefined ? null : Math.round(median / 100) / 10,
      ways: [...(ways.get(id) ?? [])].map(([to, sessions]) => ({ to, sessions })),
      fields: fields.filter(({ sensitive }) => !sensitive).map((field) => fieldStatistics(field, answers)),
    }
  })
}

/** From each page to each other: the sessions whose path has the one right after the other. */
function waysOf(paths: Awaited<ReturnType<typeof countPaths>>): Map<string, Map<string, number>> {
  const ways = new Map<string, Map<string, number>>()
  for (const { path, sessions } of paths)
    for (const way of new Set(path.slice(1).map((to, at) => `${path[at]} ${to}`))) {
      const [from = '', to = ''] = way.split(' ') // Ids have no spaces.
      const counts = ways.get(from) ?? new Map<string, number>()
      ways.set(from, counts.set(to, (counts.get(to) ?? 0) + sessions))
    }
  return ways
}

type Counted = Awaited<ReturnType<typeof countAnswers>>

function groupAnswers(rows: Counted): Map<string, Counted> {
  const groups = new Map<string, Counted>()
  for (const row of rows) groups.set(row.fieldId, [...(groups.get(row.fieldId) ?? []), row])
  return groups
}

/** What people wrote is theirs; only answers that many can have in common are counted. */
const FREE: ReadonlySet<FunnelField['kind']> = new Set(['text', 'date', 'email', 'phone'])
const MOST_VALUES = 100

function fieldStatistics({ id, kind }: FunnelField, answers: ReadonlyMap<string, Counted>): FieldStatistics {
  const rows = answers.get(id) ?? []
  const answered = rows.reduce((sum, { times }) => sum + times, 0)
  if (FREE.has(kind)) return { id, answered, answers: [] }
  const counts = new Map<AnswerCount['value'], number>()
  for (const { value, times } of rows)
    for (const one of valuesOf(value)) counts.set(one, (counts.get(one) ?? 0) + times)
  const ordered = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_VALUES)
  return { id, answered, answers: ordered.map(([value, count]) => ({ value, count })) }
}

/** Each option of a choice of several counts by itself, and of a consent whether it was given. */
const valuesOf = (value: unknown): AnswerCount['value'][] =>
  [isObject(value) ? value.accepted === true : value]
    .flat()
    .filter((one): one is AnswerCount['value'] => ['string', 'number', 'boolean'].includes(typeof one))
