import { and, type Column, eq, gte, inArray, isNotNull, isNull, lt, lte, notExists, type SQL, sql } from 'drizzle-orm'
import { alias, type SubqueryWithSelection } from 'drizzle-orm/sqlite-core'
import type { Handle } from '../../base/db/handle'
import type { TransactionKind } from '../../people/purchases/model'

/** The counts of a group of subscribers. */
export interface Tally {
  /** The id of a variant; empty for those held out. */
  group: string
  people: number
  /** How many converted by an event of a client. */
  tracked: number
  crossed: number
  /** How many bought, of those who had not converted by an event. */
  buyers: number
  netUsdMicros: number
  /** Charges that are old enough to have been refunded, and those of them that were. */
  maturePurchases: number
  matureRefunds: number
}

/** The run of an experiment, with what is needed to count purchases in it. */
export interface Run {
  experimentId: string
  projectId: string
  startedAt: number
  /** Null while it is not completed. */
  completedAt: number | null
  metrics: readonly string[]
  /** Purchases up to this instant are mature. */
  matureAt: number
}

/**
 * The charges that a customer decides on. A renewal comes by itself, an adjustment belongs to a period, and a trial is
 * free.
 */
const BOUGHT: TransactionKind[] = [
  'INITIAL',
  'TRIAL_CONVERSION',
  'REACTIVATION',
  'PRODUCT_CHANGE',
  'NON_RENEWING_PURCHASE',
  'CREDIT_PURCHASE',
]
const CHARGES: TransactionKind[] = [...BOUGHT, 'RENEWAL', 'ADJUSTMENT']
const RETURNS: TransactionKind[] = ['REFUND', 'CHARGEBACK', 'REFUND_REVERSAL']

/** One tally for each variant with an exposure, including removed variants. */
export function tallyExposed(handle: Handle, run: Run): Promise<Tally[]> {
  const { assignments: a } = handle.tables
  const people = handle.db
    .select({
      // The names differ from the columns that they are joined with.
      group: sql<string>`${a.variantId}`.as('person_group'),
      id: sql<string>`${a.subscriberId}`.as('person_id'),
      since: sql<number>`${a.exposedAt}`.as('person_since'),
      trackedAt: sql<number | null>`${a.convertedAt}`.as('person_tracked_at'),
      crossedAt: sql<number | null>`${a.crossedAt}`.as('person_crossed_at'),
    })
    .from(a)
    .where(and(eq(a.experimentId, run.experimentId), isNotNull(a.exposedAt)))
    .as('people')
  return tally(handle, run, people)
}

/**
 * One tally of those held out: live subscribers whose bucket is below the limit, first seen before the end and last
 * seen after the start, each counted from that time on. It is not known which of them the experiment would have been
 * shown to.
 */
export function tallyHeldOut(handle: Handle, run: Run, border: number): Promise<Tally[]> {
  const { subscribers: s } = handle.tables
  const { startedAt, completedAt } = run
  const since = sql<number>`case when ${s.firstSeenAt} > ${startedAt} then ${s.firstSeenAt} else ${startedAt} end`
  const isPerson = and(isNull(s.mergedInto), isNull(s.erasedAt), eq(s.isSynthetic, false))
  const wasSeen = and(gte(s.lastSeenAt, startedAt), completedAt === null ? undefined : lt(s.firstSeenAt, completedAt))
  const people = handle.db
    .select({
      group: sql<string>`''`.as('person_group'),
      id: sql<string>`${s.id}`.as('person_id'),
      since: since.as('person_since'),
      trackedAt: firstTracked(handle, run, since).as('person_tracked_at'),
      crossedAt: sql<number | null>`cast(null as bigint)`.as('person_crossed_at'),
    })
    .from(s)
    .where(
      and(eq(s.projectId, run.projectId), lt(s.holdoutBucket, border), isPerson, wasSeen, isUnexposed(handle, run)),
    )
    .as('people')
  return tally(handle, run, people)
}

/** A subscriber who was exposed before the holdout grew is counted with the exposed ones. */
function isUnexposed({ db, tables }: Handle, { experimentId }: Run): SQL {
  const { assignments: a, subscribers: s } = tables
  const isExposed = and(eq(a.experimentId, experimentId), eq(a.subscriberId, s.id), isNotNull(a.exposedAt))
  return notExists(db.select({ one: sql`1` }).from(a).where(isExposed))
}

function firstTracked({ tables }: Handle, run: Run, since: SQL): SQL<number | null> {
  const { trackedEvents: t, subscribers: s } = tables
  if (run.metrics.length === 0) return sql<number | null>`cast(null as bigint)`
  // An event that is meant for one experiment does not count for subscribers outside of it.
  const isOfAll = isNull(t.experimentKey)
  const isOwn = and(eq(t.subscriberId, s.id), inArray(t.type, [...run.metrics]), isOfAll)
  const isInRun = and(sql`${t.occurredAt} >= ${since}`, runsAt(tables, run, sql`${t.occurredAt}`))
  return sql<number | null>`(select min(${t.occurredAt}) from ${t} where ${and(isOwn, isInRun)})`
}

/** Between start and completion, and not in a pause. */
function runsAt(
  { experimentPauses: p }: Handle['tables'],
  { experimentId, completedAt }: Run,
  at: SQL,
): SQL | undefined {
  const isPaused = sql`${p.experimentId} = ${experimentId} and ${p.pausedAt} <= ${at}
    and (${p.resumedAt} is null or ${p.resumedAt} > ${at})`
  const isBefore = completedAt === null ? undefined : sql`${at} < ${completedAt}`
  return and(isBefore, sql`not exists (select 1 from ${p} where ${isPaused})`)
}

/** Whether a subscriber decided on a charge in production after an instant, while the experiment ran. */
export function isBoughtInRun({ tables }: Handle, run: Run, subscriberId: Column, since: Column): SQL {
  const { transactions: t } = tables
  const isOwn = and(eq(t.subscriberId, subscriberId), eq(t.projectId, run.projectId), inArray(t.kind, BOUGHT))
  const isInRun = and(gte(t.occurredAt, since), gte(t.occurredAt, run.startedAt), eq(t.environment, 'PRODUCTION'))
  return sql`exists (select 1 from ${t} where ${and(isOwn, isInRun, runsAt(tables, run, sql`${t.occurredAt}`))})`
}

type People = SubqueryWithSelection<
  {
    group: SQL.Aliased<string>
    id: SQL.Aliased<string>
    since: SQL.Aliased<number>
    trackedAt: SQL.Aliased<number | null>
    crossedAt: SQL.Aliased<number | null>
  },
  'people'
>

/** One statement, so that subscribers and purchases are counted at the same moment. */
async function tally(handle: Handle, run: Run, people: People): Promise<Tally[]> {
  const { db } = handle
  const counts = db
    .select({
      group: sql<string>`${people.group}`.as('counted_group'),
      people: sql<number>`count(*)`.as('people_count'),
      tracked: sql<number>`count(${people.trackedAt})`.as('tracked_count'),
      crossed: sql<number>`count(${people.crossedAt})`.as('crossed_count'),
    })
    .from(people)
    .groupBy(sql`${people.group}`)
    .as('counts')
  const money = moneyOf(handle, run, people)
  const numberOf = (column: SQL.Aliased) => sql<number>`coalesce(${column}, 0)`.mapWith(Number)
  return db
    .select({
      group: counts.group,
      people: numberOf(counts.people),
      tracked: numberOf(counts.tracked),
      crossed: numberOf(counts.crossed),
      buyers: numberOf(money.buyers),
      netUsdMicros: numberOf(money.netUsdMicros),
      maturePurchases: numberOf(money.maturePurchases),
      matureRefunds: numberOf(money.matureRefunds),
    })
    .from(counts)
    .leftJoin(money, sql`${counts.group} = ${money.group}`)
}

/**
 * What was paid in production since the exposure, while the experiment ran, less what was refunded of it at any time.
 */
function moneyOf(handle: Handle, run: Run, people: People) {
  const { db, tables } = handle
  const { transactions: t } = tables
  const isBuyer = sql`${inArray(t.kind, BOUGHT)} and ${people.trackedAt} is null`
  const isMature = lte(t.occurredAt, run.matureAt)
  const returned = returnsOf(handle)
  return db
    .select({
      group: sql<string>`${people.group}`.as('money_group'),
      buyers: sql<number>`count(distinct case when ${isBuyer} then ${people.id} end)`.as('buyers'),
      netUsdMicros: sql<number>`sum(${t.usdMicros} + coalesce(${returned.usdMicros}, 0))`.as('net_usd_micros'),
      maturePurchases: sql<number>`sum(case when ${isMature} then 1 else 0 end)`.as('mature_purchases'),
      matureRefunds: sql<number>`sum(case when ${isMature} and ${returned.count} > 0 then 1 else 0 end)`.as('refunds'),
    })
    .from(t)
    .innerJoin(people, sql`${t.subscriberId} = ${people.id} and ${t.occurredAt} >= ${people.since}`)
    .where(
      and(
        eq(t.projectId, run.projectId),
        gte(t.occurredAt, run.startedAt),
        eq(t.environment, 'PRODUCTION'),
        inArray(t.kind, CHARGES),
        runsAt(tables, run, sql`${t.occurredAt}`),
      ),
    )
    .groupBy(sql`${people.group}`)
    .as('money')
}

/** For the charge in the row: the sum of its refunds and their reversals, and how many refunds remain. */
function returnsOf({ db, tables: { transactions: t } }: Handle): { usdMicros: SQL; count: SQL } {
  const r = alias(t, 'returned')
  const isOfCharge = and(
    eq(r.purchaseId, t.purchaseId),
    eq(r.storeTransactionId, t.storeTransactionId),
    inArray(r.kind, RETURNS),
  )
  const standing = sql`case when ${r.kind} = 'REFUND_REVERSAL' then -1 else 1 end`
  return {
    usdMicros: sql`${db
      .select({ sum: sql`sum(${r.usdMicros})` })
      .from(r)
      .where(isOfCharge)}`,
    count: sql`${db
      .select({ sum: sql`sum(${standing})` })
      .from(r)
      .where(isOfCharge)}`,
  }
}
