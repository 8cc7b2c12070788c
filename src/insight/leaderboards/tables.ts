import type { Kit } from '../../base/db/kit'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { LeaderboardMetric, LeaderboardWindow, StoredEntry } from './model'

export const leaderboardTables = (k: Kit) => ({
  leaderboards: k.table(
    'leaderboards',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      identifier: k.str().notNull(),
      name: k.str().notNull(),
      metric: k.str().$type<LeaderboardMetric>().notNull(),
      currencyId: k.str(),
      eventType: k.str(),
      window: k.str().$type<LeaderboardWindow>().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('leaderboards_identifier').on(t.projectId, t.identifier)],
  ),
  /** A leaderboard as it was computed at an instant. The earlier ones stay for a while, for those who read page by page. */
  leaderboardResults: k.table(
    'leaderboard_results',
    {
      id: k.str().primaryKey(),
      leaderboardId: k.str().notNull(),
      environment: k.str().$type<PurchaseEnvironment>().notNull(),
      computedAt: k.int().notNull(),
      /** Since when it counts; null = since ever. */
      windowStart: k.int(),
      /** How long computing took. What took long is kept longer. */
      tookMs: k.int().notNull(),
      size: k.int().notNull(),
    },
    (t) => [k.index('leaderboard_results_newest').on(t.leaderboardId, t.environment, t.computedAt)],
  ),
  /** The entries of a result, in pages of one size, from number 0. */
  leaderboardPages: k.table(
    'leaderboard_pages',
    {
      resultId: k.str().notNull(),
      number: k.int().notNull(),
      entries: k.json<StoredEntry[]>().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.resultId, t.number] })],
  ),
})

type LeaderboardTables = ReturnType<typeof leaderboardTables>

declare module '../../base/db/tables' {
  interface Tables extends LeaderboardTables {}
}
