import type { Context } from '../../base/context'
import { DAY, HOUR } from '../../base/lib/clock'
import { isElsewhere } from '../clickhouse/numbers'
import type { Cell } from '../figures/cells'
import { isKept, nameOf } from '../figures/kept/name'
import { isLarge, readAnswers } from '../figures/kept/read'
import type { FigureRequest } from '../figures/scope'
import { DEFAULT_DAYS } from '../figures/window'
import type { ChartFigures } from './chart'

/** How long a large project's answer is shown that each new entry could change. */
const SHOWN_FOR = HOUR

/**
 * The answer of a chart to which everybody's whole life counts. Of a large project it is computed at most once an hour,
 * and tells when.
 */
export async function readAged(
  ctx: Context,
  id: string,
  request: FigureRequest,
  askWith: (ctx: Context) => Promise<ChartFigures>,
): Promise<ChartFigures> {
  const { scope, grain, cells } = request
  const ask = () => askWith(ctx)
  const { kept, projectId, now } = scope
  if (!kept || !isKept(scope) || kept.settled?.position === 0 || isElsewhere(ctx)) return ask()
  const name = nameOf(`${id} by ${grain}`, scope)
  const known = await findShown(ctx, request, name)
  if (known) return known
  if (!(await ctx.storage.readInThread((handle) => isLarge(handle, scope, kept, cells)))) return ask()
  await ctx.state.answers.once(ctx, `${projectId} ${name} ${JSON.stringify(sidesOf(request))}`, async (own) => {
    const about = { projectId, name, ...sidesOf(request), position: 0, moved: 0, computedAt: now }
    kept.keep([{ ...about, answer: JSON.stringify(await askWith(own)) }])
  })
  return (await findShown(ctx, request, name)) ?? ask()
}

/** A window until now is always the same one, and so are, for an hour, the last 30 days. */
function sidesOf({ window: { start, end }, scope: { now } }: FigureRequest): Cell {
  if (end !== now) return { start, end }
  return { start: end - start === DEFAULT_DAYS * DAY ? Math.floor(start / HOUR) * HOUR : start, end: 0 }
}

async function findShown(ctx: Context, request: FigureRequest, name: string): Promise<ChartFigures | null> {
  const { scope, cells } = request
  const { start, end } = sidesOf(request)
  const [newest] = (await readAnswers(ctx, scope, name, start))
    .filter((one) => one.start === start && one.end === end && scope.now - one.computedAt < SHOWN_FOR)
    .toSorted((a, b) => b.computedAt - a.computedAt)
  if (!newest) return null
  const figures = JSON.parse(newest.answer) as ChartFigures
  // Since then another cell can have started, or the time zone can be another one.
  const isSame = startsOf(figures.series) === startsOf(cells)
  return isSame ? { ...figures, computedAt: newest.computedAt } : null
}

/** Of all cells but the first one, which is cut where the window starts. */
const startsOf = (cells: readonly { start: number }[]): string =>
  cells
    .slice(1)
    .map(({ start }) => start)
    .join()
