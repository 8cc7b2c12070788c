import type { Observation, Report } from '../observation'

/**
 * What is worth storing of what was fetched. A report of a state that is recorded already is stored again only after
 * `repeatKeptMs`. Of two different states within one millisecond the one that is recorded later counts as later.
 */
export function newsOf(
  fetched: readonly Observation[],
  known: readonly Observation[],
  repeatKeptMs: number,
): Observation[] {
  const newest = known
    .filter(isState)
    .toSorted((a, b) => a.eventAt - b.eventAt || (a.id < b.id ? -1 : 1))
    .at(-1)
  if (!newest) return [...fetched]
  const taken = new Set(known.filter(isState).map(({ eventAt }) => eventAt))
  return fetched.flatMap((one): Observation[] => {
    if (!isState(one)) return [one]
    if (stateOf(one) === stateOf(newest) && one.eventAt - newest.eventAt < repeatKeptMs) return []
    return [atFree(one, taken)]
  })
}

/** Whether a report is about the state of an item. A report of a payment has its own date and comes once. */
const isState = (one: Observation): one is Report => one.kind === 'REPORT' && /@\d+:[0-9a-f]+$/.test(one.id)

const stateOf = ({ id }: Observation): string => id.slice(id.lastIndexOf(':'))

/** The report at the first millisecond that no recorded state has. */
function atFree(report: Report, taken: ReadonlySet<number>): Report {
  let { eventAt } = report
  while (taken.has(eventAt)) eventAt += 1
  return { ...report, eventAt, id: report.id.replace(`@${report.eventAt}:`, `@${eventAt}:`) }
}
