import { useRead } from '../../../../api/queries'
import type { Schemas } from '../../../../api/schemas'
import { now } from '../../../../lib/clock'
import { useProject } from '../../../../lib/session'

const DAY_MS = 86_400_000
export const DAYS = 30

/** From when the figures count: the start of a day in UTC, so that an answer can be kept. */
export const sinceDays = (days: number): string => {
  const today = Math.floor(now() / DAY_MS) * DAY_MS
  return new Date(today - (days - 1) * DAY_MS).toISOString()
}

/** What visitors did on each page in the last 30 days. */
export function usePageFigures(funnelId: string): Map<string, Schemas['FunnelPageStats']> {
  const { path } = useProject()
  const stats = useRead('/dashboard/projects/{projectId}/funnels/{id}/stats', {
    params: { path: { ...path, id: funnelId }, query: { from: sinceDays(DAYS) } },
  })
  return new Map((stats.data?.pages ?? []).map((page) => [page.id, page]))
}
