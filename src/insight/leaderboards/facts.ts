import { and, eq, gt, gte, isNotNull, lte, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { DAY } from '../../base/lib/clock'
import { idBound } from '../../base/lib/ids'
import { NOBODY } from '../../people/purchases/unlisted-sales'
import type { PurchaseEnvironment } from '../../stores/observation'
import { kindOfEvent } from '../cohorts/model'
import { happenings, type IdRange, isInRange, isOfProject } from '../cohorts/starts'
import type { LeaderboardMeasure } from './model'

type Tables = Handle['tables']

/** Statements with rows (owner, amount), of which a leaderboard sums the amounts of each owner. */
interface FactQuestion {
  projectId: string
  measure: LeaderboardMeasure
  environment: PurchaseEnvironment
  now: number
}

/** Everything that ever counted, of the people of a range. */
export function factsOfRange(
  handle: Handle,
  { projectId, measure, environment, now }: FactQuestion,
  range: IdRange,
): SQL {
  const { metric, currencyId, eventType } = measure
  const { balances: b, transactions: t } = handle.tables
  if (metric === 'currency') {
    const isHeld = and(isInRange(b.subscriberId, range), eq(b.currencyId, currencyId ?? ''), gt(b.balance, 0n))
    return sql`select ${b.subscriberId} as owner, ${b.balance} as amount from ${b} where ${isHeld}`
  }
  if (metric === 'spend') {
    // Merged rows have none.
    const isTheirs = and(isOfProject(handle, t.projectId, projectId), isInRange(t.subscriberId, range))
    const isPaid = and(isTheirs, eq(t.environment, environment), isNotNull(t.usdMicros))
    return sql`select ${t.subscriberId} as owner, ${t.usdMicros} as amount from ${t} where ${isPaid}`
  }
  const definition = { event: eventType ?? '', filters: { environment } }
  const happened = happenings(handle, definition, { from: 0, to: now }, { projectId, ...range })
  return sql`select h.owner as owner, ${ONE} as amount from (${happened}) as h`
}

/** A constant without a type has 32 bits in PostgreSQL. */
const ONE = sql`cast(1 as bigint)`

export interface FactWindow {
  from: number
  /** The positions in the feed between which events since then are: above the first, up to the second. */
  positions: { after: number; until: number }
}

/** What counted since an instant. What happened on a row that was merged belongs to the row that is left. */
export function factsOfWindow(handle: Handle, question: FactQuestion, window: FactWindow): SQL {
  const { subscribers: m } = handle.tables
  const { table, subscriberId, amount, isCounted } = countedIn(handle, question, window)
  return sql`select coalesce(${m.mergedInto}, ${m.id}) as owner, ${amount} as amount
    from ${table} join ${m} on ${m.id} = ${subscriberId}
    where ${and(isCounted, isOfProject(handle, m.projectId, question.projectId))}`
}

interface Counted {
  table: Tables['ledger'] | Tables['transactions'] | Tables['events'] | Tables['clientEvents']
  subscriberId: SQL
  amount: SQL
  isCounted: SQL | undefined
}

function countedIn(handle: Handle, question: FactQuestion, window: FactWindow): Counted {
  const { tables } = handle
  const { metric, eventType } = question.measure
  if (metric === 'currency') return earnedIn(handle, question, window)
  if (metric === 'spend') return spentIn(tables, question, window)
  return kindOfEvent(eventType ?? '') === 'FEED'
    ? happenedIn(tables, question, window)
    : reportedIn(tables, question, window)
}

/** What was granted, less what was taken back with a refund. Spending and moves between people do not count. */
function earnedIn(handle: Handle, { projectId, measure, now }: FactQuestion, { from }: FactWindow): Counted {
  const { ledger: l } = handle.tables
  const isEarned = and(
    notInArray(l.type, ['TRANSFER_IN', 'TRANSFER_OUT']),
    or(gt(l.amount, 0n), isNotNull(l.grantReference)),
  )
  const isCounted = and(
    isOfProject(handle, l.projectId, projectId),
    // Ids are in the order of time. Of the currency, the databases would read every entry that it ever had.
    gte(l.id, idBound('vtx', from)),
    eq(sql`${l.currencyId} || ''`, measure.currencyId ?? ''),
    gte(l.createdAt, from),
    lte(l.createdAt, now),
    isEarned,
  )
  return { table: l, subscriberId: sql`${l.subscriberId}`, amount: sql`${l.amount}`, isCounted }
}

function spentIn(
  { transactions: t }: Tables,
  { projectId, environment, now }: FactQuestion,
  { from }: FactWindow,
): Counted {
  const isLine = and(eq(t.projectId, projectId), gte(t.occurredAt, from), lte(t.occurredAt, now))
  const isOfSomebody = ne(t.subscriberId, NOBODY)
  const isCounted = and(isLine, isOfSomebody, eq(t.environment, environment), isNotNull(t.usdMicros))
  return { table: t, subscriberId: sql`${t.subscriberId}`, amount: sql`${t.usdMicros}`, isCounted }
}

function happenedIn({ events: e }: Tables, question: FactQuestion, { from, positions }: FactWindow): Counted {
  const { projectId, measure, environment, now } = question
  const isRecent = and(eq(e.projectId, projectId), gt(e.position, positions.after), lte(e.position, positions.until))
  const isEvent = and(eq(e.type, measure.eventType ?? ''), eq(e.environment, environment))
  const isCounted = and(isRecent, isEvent, gte(e.occurredAt, from), lte(e.occurredAt, now))
  return { table: e, subscriberId: sql`${e.subscriberId}`, amount: ONE, isCounted }
}

function reportedIn(
  { clientEvents: e }: Tables,
  { projectId, measure, now }: FactQuestion,
  { from }: FactWindow,
): Counted {
  // The clock of a device may be ahead, so that an event arrives before it has happened.
  const isRecent = and(eq(e.projectId, projectId), gte(e.recordedAt, from - DAY))
  const isCounted = and(isRecent, eq(e.type, measure.eventType ?? ''), gte(e.occurredAt, from), lte(e.occurredAt, now))
  return { table: e, subscriberId: sql`${e.subscriberId}`, amount: ONE, isCounted }
}
