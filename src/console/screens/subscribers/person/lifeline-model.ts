import type { Line, Product, Purchase } from '../../../parts/use-person'

export const DAY = 86_400_000

export type Part = 'trial' | 'paid' | 'grace' | 'refunded' | 'granted'

export interface Segment {
  part: Part
  from: number
  to: number
}

/** One line of the drawing: a purchase, or all purchases of one product that is bought once and again. */
export interface LifeRow {
  key: string
  purchase: Purchase
  count: number
  segments: Segment[]
  dots: number[]
}

export interface Domain {
  from: number
  to: number
}

const ms = (at: string): number => new Date(at).getTime()

const PERIODS = new Set(['TRIAL', 'INITIAL', 'TRIAL_CONVERSION', 'RENEWAL', 'REACTIVATION', 'PRODUCT_CHANGE', 'GRANT'])

/** Purchases as rows, those that started last at the bottom. */
export function lifeRows(
  purchases: readonly Purchase[],
  lines: readonly Line[],
  products: ReadonlyMap<string, Product>,
): LifeRow[] {
  const rows: LifeRow[] = []
  const oneTime = new Map<string, LifeRow>()
  for (const purchase of purchases) {
    const product = purchase.productId === null ? undefined : products.get(purchase.productId)
    const own = lines.filter((line) => line.purchaseId === purchase.id)
    if (!isOneTime(purchase, product)) {
      rows.push({ key: purchase.id, purchase, count: 1, segments: segmentsOf(purchase, own, product), dots: [] })
      continue
    }
    const key = `${purchase.store} ${purchase.productIdentifier}`
    const held = oneTime.get(key)
    if (held) {
      held.count += 1
      held.dots.push(ms(purchase.purchaseDate))
    } else {
      const row = { key, purchase, count: 1, segments: [], dots: [ms(purchase.purchaseDate)] }
      oneTime.set(key, row)
      rows.push(row)
    }
  }
  return rows
}

export const isOneTime = (purchase: Purchase, product: Product | undefined): boolean =>
  purchase.store !== 'MANUAL' && (product === undefined ? purchase.expiresAt === null : product.type !== 'SUBSCRIPTION')

function segmentsOf(purchase: Purchase, lines: readonly Line[], product: Product | undefined): Segment[] {
  const last = lastOf(purchase)
  const starts = lines
    .filter(({ kind }) => PERIODS.has(kind))
    .map(({ kind, occurredAt }) => ({ kind, at: ms(occurredAt) }))
    .sort((a, b) => a.at - b.at)
  if (starts.length === 0)
    starts.push({ kind: purchase.isTrial ? 'TRIAL' : 'INITIAL', at: ms(purchase.originalPurchaseDate) })
  const segments = starts.map(({ kind, at }, index): Segment => {
    const next = starts[index + 1]
    const part = purchase.store === 'MANUAL' ? 'granted' : kind === 'TRIAL' ? 'trial' : 'paid'
    if (next === undefined) return { part, from: at, to: Math.max(at, last.to) }
    const to = next.kind === 'REACTIVATION' ? Math.min(next.at, at + lengthOf(product?.period ?? null)) : next.at
    return { part, from: at, to }
  })
  const end = segments.at(-1)
  if (end && last.part) end.part = last.part
  return purchase.status === 'GRACE_PERIOD' && purchase.gracePeriodExpiresAt !== null
    ? [...segments, { part: 'grace', from: last.to, to: ms(purchase.gracePeriodExpiresAt) }]
    : segments
}

/** The end of the running period, and how it is drawn when it did not end as it was sold. */
function lastOf({ status, refundedAt, expiresAt, storeEventAt }: Purchase): { to: number; part?: Part } {
  if (status === 'REFUNDED' && refundedAt !== null) return { to: ms(refundedAt), part: 'refunded' }
  if (status === 'REVOKED') return { to: ms(storeEventAt), part: 'refunded' }
  return { to: expiresAt === null ? Number.POSITIVE_INFINITY : ms(expiresAt) }
}

/** An ISO 8601 period in milliseconds, for drawing only. */
function lengthOf(period: string | null): number {
  const found = /^P(\d+)([DWMY])$/.exec(period ?? '')
  if (!found) return Number.POSITIVE_INFINITY
  const days = { D: 1, W: 7, M: 30.4, Y: 365 }[found[2] as 'D'] ?? 30
  return Number(found[1]) * days * DAY
}

/** The time that is drawn: the whole past of the person, and a part of what lies ahead. */
export function domainOf(rows: readonly LifeRow[], firstSeenAt: number, at: number): Domain {
  const starts = rows.flatMap(({ segments, dots }) => [...segments.map(({ from }) => from), ...dots])
  const from = Math.min(firstSeenAt, at - 7 * DAY, ...starts)
  const most = at + Math.max(32 * DAY, (at - from) / 4)
  const ends = rows.flatMap(({ segments }) => segments.map(({ to }) => to)).filter((to) => to > at)
  const to = Math.min(most, Math.max(at + (at - from) / 12, ...ends.map((end) => (Number.isFinite(end) ? end : most))))
  const margin = (to - from) / 40
  return { from: from - margin, to: to + margin }
}

/** Spans in which an access was on, from the events about it. */
export function spansOn(
  chain: readonly { at: string; isActiveAfter: boolean }[],
  end: { isActive: boolean; until: string | null; from: number },
  at: number,
): { from: number; to: number; isAhead: boolean }[] {
  const spans: { from: number; to: number; isAhead: boolean }[] = []
  let open: number | null = null
  for (const step of chain) {
    if (step.isActiveAfter && open === null) open = ms(step.at)
    if (!step.isActiveAfter && open !== null) {
      spans.push({ from: open, to: ms(step.at), isAhead: false })
      open = null
    }
  }
  if (!end.isActive) return spans
  spans.push({ from: open ?? end.from, to: at, isAhead: false })
  spans.push({ from: at, to: end.until === null ? Number.POSITIVE_INFINITY : ms(end.until), isAhead: true })
  return spans
}

const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60]
const DAY_STEPS = [1, 2, 5, 7, 14]

/** The positions of the grid: the beginnings of months, or of days when it spans less than three months. */
export function ticksOf({ from, to }: Domain, most: number): { at: number; isMonth: boolean }[] {
  const days = (to - from) / DAY
  if (days < 90) {
    const step = DAY_STEPS.find((one) => days / one <= most) ?? 28
    const first = Math.ceil(from / DAY)
    return range(first, Math.floor(to / DAY), step).map((day) => ({ at: day * DAY, isMonth: false }))
  }
  const start = new Date(from)
  const first = start.getUTCFullYear() * 12 + start.getUTCMonth() + 1
  const step = MONTH_STEPS.find((one) => days / 30.4 / one <= most) ?? 120
  const end = new Date(to)
  const aligned = Math.ceil(first / step) * step
  return range(aligned, end.getUTCFullYear() * 12 + end.getUTCMonth(), step).map((month) => ({
    at: Date.UTC(Math.floor(month / 12), month % 12, 1),
    isMonth: true,
  }))
}

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => from + index * step)
