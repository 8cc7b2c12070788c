import { and, asc, eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { toIso } from '../../base/lib/time'
import type { OnExport } from '../../people/subscribers/hooks'

/** For the data export of a person: the places in every kept result of the project's leaderboards. */
export const exportPlaces: OnExport = (handle, { id: projectId }, { ids }) => ({
  'groups.jsonl': (async function* () {
    const own = new Set(ids)
    for (const { board, result } of await listResults(handle, projectId))
      for await (const [subscriberId, value, rank] of entriesOf(handle, result.id))
        if (own.has(subscriberId))
          yield {
            ...{ record: 'leaderboard', name: board.name, identifier: board.identifier, rank, value },
            ...{ environment: result.environment, computedAt: toIso(result.computedAt) },
          }
  })(),
})

function listResults({ db, tables }: Handle, projectId: string) {
  const { leaderboards: b, leaderboardResults: r } = tables
  const found = db.select({ board: b, result: r }).from(b).innerJoin(r, eq(r.leaderboardId, b.id))
  return found.where(eq(b.projectId, projectId)).orderBy(asc(b.identifier), asc(r.computedAt))
}

/** Page by page: a leaderboard can have very many entries. */
async function* entriesOf({ db, tables: { leaderboardPages: p } }: Handle, resultId: string) {
  const numbers = await db.select({ number: p.number }).from(p).where(eq(p.resultId, resultId)).orderBy(asc(p.number))
  for (const { number } of numbers) {
    const isPage = and(eq(p.resultId, resultId), eq(p.number, number))
    for (const { entries } of await db.select({ entries: p.entries }).from(p).where(isPage)) yield* entries
  }
}
