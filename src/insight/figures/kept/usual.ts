import type { Context } from '../../../base/context'
import { DAY } from '../../../base/lib/clock'
import { firstOfMonth, localDays } from '../../../base/lib/local-days'
import { type Cell, cellsOf, type Grain } from '../cells'
import { listRolledProjects } from '../rolls/queries'
import { readFigureQuery } from '../scope'
import type { PeopleQuestion } from './count-person'
import { isLarge, prepareAnswers, readPeople } from './read'

const QUESTIONS: readonly PeopleQuestion[] = ['PAYING', 'NEW', 'ACTIVE']

/** The windows up to now that are asked for most. */
const DAYS = [7, 28, 30, 90]
const MONTHS = [1, 12, 36]

/**
 * Counts the people of the usual windows in large projects, and brings the numbers up to date, so that no request waits for
 * the first count. Stops between two parts when the process does; what is missing then is counted the next time.
 */
export async function prepareUsualAnswers(ctx: Context, isStopping: () => boolean): Promise<void> {
  const kept = ctx.state.answers.forReading()
  if (!kept || ctx.config.analytics) return // ClickHouse counts by itself.
  for (const projectId of await listRolledProjects(ctx)) {
    const project = await ctx.state.projects.find(projectId)
    if (!project) continue
    const { scope } = readFigureQuery(ctx, project, {})
    const cells = usualCells(scope.now, project.timezone)
    if (!(await ctx.storage.readInThread((handle) => isLarge(handle, scope, kept, cells)))) continue
    for (const question of QUESTIONS) {
      if (isStopping()) return
      await prepareAnswers(ctx, scope, question, cells, isStopping)
      await ctx.storage.readInThread((handle) => readPeople(handle, scope, { question, cells, countCell }))
    }
  }
}

/** Nothing is counted cell by cell: what was prepared is only brought up to date. */
const countCell = async (): Promise<number> => 0

/** The days and months of the windows, and each window as a whole. */
export function usualCells(now: number, timezone: string): Cell[] {
  const days = localDays(timezone)
  const today = days.dayOf(now)
  const windows: [start: number, grain: Grain][] = [
    ...DAYS.map((count): [number, Grain] => [now - count * DAY, 'day']),
    ...MONTHS.map((count): [number, Grain] => [days.startOf(firstOfMonth(today, 1 - count)), 'month']),
  ]
  const cells = windows.flatMap(([start, grain]) => [{ start, end: now }, ...cellsOf(start, now, grain, timezone)])
  return [...new Map(cells.map((cell) => [`${cell.start} ${cell.end}`, cell])).values()]
}
