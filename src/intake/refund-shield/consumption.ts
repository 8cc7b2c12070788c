import { DAY, MINUTE } from '../../base/lib/clock'
import type { Bucket, ConsumptionAnswer } from '../../stores/ios/api-client-shapes'
import type { RefundShieldSettings } from './settings'

// The answer to the iOS store's request for the consumption of a purchase (wire 5.12).

/** What is known at `now` about the customer and the purchase to be refunded. Null = not known. */
export interface ConsumptionFacts {
  now: number
  /** The period that the transaction paid for; null when it bought no period. */
  period: { startsAt: number; endsAt: number } | null
  /** Credits that the transaction granted and how many of them are spent; null when it granted none. */
  credits: { granted: bigint; spent: bigint } | null
  /** When the subscriber was first seen. */
  firstSeenAt: number | null
  /** The total length of all sessions. */
  playTimeMs: number | null
  /** Millionths of a US dollar over the subscriber's life. */
  purchasedUsdMicros: number | null
  refundedUsdMicros: number | null
  hadTrial: boolean
  isEntitled: boolean
  appAccountToken: string | null
}

/** The answer to the store. A bucket includes its lower bound: exactly 3 days are not "less than 3 days". */
export function computeConsumption(
  facts: ConsumptionFacts,
  { policy, customerConsented }: Pick<RefundShieldSettings, 'policy' | 'customerConsented'>,
): ConsumptionAnswer {
  const { appAccountToken } = facts
  return {
    customerConsented,
    consumptionStatus: consumptionStatus(facts),
    platform: 1,
    sampleContentProvided: facts.hadTrial,
    deliveryStatus: 0,
    ...(appAccountToken === null ? {} : { appAccountToken }),
    accountTenure: accountTenure(facts),
    playTime: playTime(facts.playTimeMs),
    lifetimeDollarsPurchased: lifetimeDollars(facts.purchasedUsdMicros),
    lifetimeDollarsRefunded: lifetimeDollars(facts.refundedUsdMicros),
    userStatus: facts.isEntitled ? 1 : 0,
    refundPreference: PREFERENCES[policy],
  }
}

const PREFERENCES = { grant: 1, decline: 2, neutral: 3 } as const

/**
 * 0 = not known, 1 = not used, 2 = partly used, 3 = fully used. A period counts by its elapsed share: below 25 % is 1,
 * from 25 % to 90 % inclusive is 2. Credits count by how many are spent: none is 1, all is 3.
 */
function consumptionStatus({ credits, period, now }: ConsumptionFacts): ConsumptionAnswer['consumptionStatus'] {
  if (credits && credits.granted > 0n) return credits.spent <= 0n ? 1 : credits.spent < credits.granted ? 2 : 3
  if (!period) return 0
  const length = period.endsAt - period.startsAt
  const elapsed = now - period.startsAt
  if (elapsed * 4 < length) return 1
  return length > 0 && elapsed * 10 <= length * 9 ? 2 : 3
}

const TENURE_DAYS = [3, 10, 30, 90, 180, 365]

const accountTenure = ({ firstSeenAt, now }: ConsumptionFacts): Bucket =>
  firstSeenAt === null ? 0 : bucketOf((now - firstSeenAt) / DAY, TENURE_DAYS)

const PLAY_MINUTES = [5, 60, 360, 1440, 5760, 23_040]

const playTime = (milliseconds: number | null): Bucket =>
  milliseconds === null || milliseconds <= 0 ? 0 : bucketOf(milliseconds / MINUTE, PLAY_MINUTES)

const DOLLARS = [50, 100, 500, 1000, 2000]

/** 1 = nothing, 2 = less than 50 dollars, ... */
function lifetimeDollars(usdMicros: number | null): Bucket {
  if (usdMicros === null) return 0
  return usdMicros <= 0 ? 1 : bucketOf(usdMicros / 1_000_000, [0, ...DOLLARS])
}

const BUCKETS = [1, 2, 3, 4, 5, 6, 7] as const

/** The first bucket for a value below all bounds, the next for each bound that it has reached. */
const bucketOf = (value: number, bounds: readonly number[]): Bucket =>
  BUCKETS[bounds.filter((bound) => value >= bound).length] ?? 7
