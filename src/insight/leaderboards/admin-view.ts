import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { AuditEntry } from '../../projects/audit/audit'
import { measureOf } from './compute'
import type { LeaderboardRow } from './queries'

export type LeaderboardView = ReturnType<typeof toLeaderboardView>

export const toLeaderboardView = (row: LeaderboardRow, computedAt: number | null, revision: number) => ({
  id: row.id,
  identifier: row.identifier,
  name: row.name,
  ...measureOf(row),
  computedAt: toIsoOrNull(computedAt),
  revision,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export const leaderboardEntry = (
  verb: string,
  before: LeaderboardRow | null,
  after: LeaderboardRow | null,
): AuditEntry => ({
  action: `leaderboard.${verb}`,
  target: { type: 'leaderboard', id: (after ?? before)?.id ?? '' },
  before: before && imageOf(before),
  after: after && imageOf(after),
})

const imageOf = (row: LeaderboardRow) => ({ identifier: row.identifier, name: row.name, ...measureOf(row) })
