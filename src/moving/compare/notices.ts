import type { Tx } from '../../base/context'
import { type NoticeKind, notify } from '../../operators/notices/notify'
import { differencesText } from './command-summary'
import type { RunRow } from './queries'

export const COMPARISON_DIFFERS: NoticeKind = {
  kind: 'comparison_differs',
  description: 'A nightly comparison with another service has found differences.',
}

/** Tells those who may compare what a nightly comparison has found, if it has found anything. */
export async function tellDifferences(tx: Tx, run: RunRow): Promise<void> {
  const text = differencesText(run)
  if (!run.isScheduled || text === null) return
  const { id, projectId, vendor, counters } = run
  const body = `Of ${counters.done} people, ${counters.differing} are not the same here and at ${vendor}: ${text}. The list of ${id} is in the console, also as CSV.`
  const title = `The nightly comparison with ${vendor} has found differences`
  await notify(tx, {
    ...{ kind: COMPARISON_DIFFERS.kind, projectId, roles: ['OWNER', 'ADMIN'], title, body, mail: {} },
  })
}
