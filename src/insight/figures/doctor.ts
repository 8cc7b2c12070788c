import type { Examination } from '../../base/cli/doctor'
import type { Handle } from '../../base/db/handle'
import { DAY } from '../../base/lib/clock'
import { finding } from '../../core/finding/findings'
import { type Cell, cellsOf } from './cells'
import { EVERYTHING, listRolls } from './rolls/queries'
import { readCells } from './rolls/read'
import { type GroupSums, SUM_NAMES, type SumScope } from './sums'

/** Whether the kept sums of figures equal the entries, in the days of late and in one month of the last year. */
export const figuresExamination: Examination = {
  name: 'figures',
  project: async ({ handle, now }, { id }) => {
    const rolls = await listRolls(handle, [id])
    const own = rolls.find(({ scope }) => scope !== EVERYTHING)
    if (!own) return {}
    const samples = sampleOf(now, own.timezone)
    // A server may add an entry between the two reads.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (await areEqual(handle, id, samples, now)) return {}
    return { faults: [FAULT] }
  },
}

const ATTEMPTS = 3

const FAULT = finding(
  'FIGURES_DIFFER',
  {},
  'Kept sums of figures differ from the entries that they are made of; save another time zone and the right one again, which computes them anew, and report this.',
)

/** The sample of a month is another one each day. */
function sampleOf(now: number, timezone: string): Cell[][] {
  const months = cellsOf(now - 400 * DAY, now, 'month', timezone).slice(1, -1)
  const month = months[Math.floor(now / DAY) % months.length]
  return [cellsOf(now - 3 * DAY, now, 'day', timezone), month ? [month] : []]
}

async function areEqual(handle: Handle, projectId: string, samples: Cell[][], now: number): Promise<boolean> {
  const both = (['PRODUCTION', 'SANDBOX'] as const).flatMap((environment) =>
    samples.map((cells) => ({ environment, cells })),
  )
  for (const { environment, cells } of both) {
    if (cells.length === 0) continue
    const scope: SumScope = { projectId, environment, groupBy: 'store', filters: {}, knownBefore: null, now }
    const [kept, counted] = [
      await readCells(handle, scope, cells),
      await readCells(handle, { ...scope, isRecount: true }, cells),
    ]
    if (textOf(kept) !== textOf(counted)) return false
  }
  return true
}

const textOf = (all: readonly GroupSums[]): string =>
  all
    .filter(({ sums }) => SUM_NAMES.some((name) => sums[name] !== 0))
    .map(({ cell, group, sums }) => JSON.stringify([cell, group, ...SUM_NAMES.map((name) => sums[name])]))
    .toSorted()
    .join()
