export const METRICS = ['currency', 'spend', 'event'] as const
export const WINDOWS = ['all', 'day', 'week', 'month'] as const

export type LeaderboardMetric = (typeof METRICS)[number]
export type LeaderboardWindow = (typeof WINDOWS)[number]

/** The most leaderboards of a project (wire 6). */
export const MOST_LEADERBOARDS = 50
/** The most people that a leaderboard lists. */
export const MOST_ENTRIES = 10_000

/** What a leaderboard counts. */
export interface LeaderboardMeasure {
  metric: LeaderboardMetric
  /** For `currency`. */
  currencyId: string | null
  /** For `event`. */
  eventType: string | null
  window: LeaderboardWindow
}

/** A person and what was counted. */
export interface Score {
  subscriberId: string
  value: bigint
}

/** A person on a leaderboard, as it is stored: subscriber id, the digits of the value, rank. */
export type StoredEntry = [subscriberId: string, value: string, rank: number]
