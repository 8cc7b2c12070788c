import { PAYMENT, STORES } from '../../../projects/connections/project-file/model'
import { lost } from '../../../projects/project-file/checks'
import type { Pair } from '../../../projects/project-file/model'
import { gone, live } from '../../../projects/project-file/pair'
import { type Problem, problem, sentenceOf, stepsOf } from '../../../projects/project-file/problem'
import type { Checking } from '../../../projects/project-file/section'
import { publishFaults } from '../publish'
import type { SavedFunnel } from '../service'
import { FUNNELS, type FunnelState, type WantedFunnel } from './model'
import { isPublishing } from './publish'

type Given = Checking<WantedFunnel, readonly SavedFunnel[], FunnelState>

/** Refuses publishing funnels with faults, and pruning funnels that placements or experiments use. */
export function checkFunnels(given: Given): Problem[] {
  const { pairs, rows, planned, users } = given
  const hasAccount = live(planned.of(STORES)).some(({ name }) => name === PAYMENT)
  const archived = new Set(rows.filter(({ status }) => status === 'ARCHIVED').map(({ id }) => id))
  return [
    ...pairs.filter(isPublishing).flatMap((pair) => refusePublishing(pair, hasAccount, archived, given)),
    ...lost(FUNNELS, gone(pairs), users),
  ]
}

function refusePublishing(
  { id, name, path, after }: Pair<FunnelState>,
  hasAccount: boolean,
  archived: ReadonlySet<string>,
  { isWhole }: Given,
): Problem[] {
  if (path === null || after === null) return []
  if (archived.has(id ?? ''))
    return [problem([...path, 'publish'], `${name} is archived; restore it before it is published`, 'CONFLICT')]
  return publishFaults({ ...after, settings: {} }, hasAccount).flatMap((fault) => {
    // If a funnel has read problems, its pages may contain replacement values.
    if (fault.isPayment && !isWhole(path)) return []
    const code = fault.isPayment ? 'PAYMENT_NOT_CONNECTED' : undefined
    return [problem([...path, ...stepsOf(fault.path)], sentenceOf(fault), code)]
  })
}
