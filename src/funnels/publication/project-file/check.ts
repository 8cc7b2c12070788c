import { NO_FILES } from '../../../core/funnel/files'
import { MAX_FUNNELS, slugFault } from '../../../core/funnel/limits'
import { publishFaults } from '../../../core/funnel/publish'
import { savedSettings } from '../../../core/funnel/settings-form'
import { publishWarnings } from '../../../core/funnel/warnings'
import { PAYMENT, STORES } from '../../../projects/connections/project-file/model'
import type { Live, Pair } from '../../../projects/project-file/model'
import { gone, live, lost, tooMany } from '../../../projects/project-file/pair'
import { type Problem, problem, sentenceOf, stepsOf } from '../../../projects/project-file/problem'
import { PROJECT } from '../../../projects/project-file/project-form'
import type { Checking, ObjectWarning, Planned } from '../../../projects/project-file/section'
import { FUNNELS, type FunnelRows, type FunnelState, isPublishing, type WantedFunnel } from './form'

type Given = Checking<WantedFunnel, FunnelRows, FunnelState>

/** Refuses publishing funnels with faults, and pruning funnels that placements or experiments use. */
export function checkFunnels(given: Given): Problem[] {
  const { pairs, rows, planned, users } = given
  const hasAccount = rows.hasTestStore || live(planned.of(STORES)).some(({ name }) => name === PAYMENT)
  const archived = new Set(rows.funnels.filter(({ status }) => status === 'ARCHIVED').map(({ id }) => id))
  return [
    ...pairs.filter(isPublishing).flatMap((pair) => refusePublishing(pair, hasAccount, archived, given)),
    ...pairs.flatMap(refuseReserved),
    ...tooMany(FUNNELS, pairs, MAX_FUNNELS),
    ...lost(FUNNELS, gone(pairs), users),
  ]
}

/** A new funnel, or a renamed one, needs a slug that can be a part of its address. */
function refuseReserved({ name, formerName, path, before }: Pair<FunnelState>): Problem[] {
  const isNew = before === null || formerName !== null
  const message = isNew ? slugFault(name) : null
  return path === null || message === null ? [] : [problem(path, `The name ${message}`)]
}

/** What publishing by the file warns about; a funnel that is not published now warns about nothing. */
export function warnFunnel(pair: Live<FunnelState>, planned: Planned): ObjectWarning[] {
  if (!isPublishing(pair)) return []
  const hasTerms = live(planned.of(PROJECT)).some(({ after }) => after.termsUrl !== null)
  const content = { ...pair.after, settings: savedSettings(pair.after.settings, null) }
  // The alternative texts of the files themselves are not known here.
  return publishWarnings(content, hasTerms, NO_FILES)
}

function refusePublishing(
  { id, name, path, after }: Pair<FunnelState>,
  hasAccount: boolean,
  archived: ReadonlySet<string>,
  { isWhole, rows: { files } }: Given,
): Problem[] {
  if (path === null || after === null) return []
  if (archived.has(id ?? ''))
    return [problem([...path, 'publish'], `${name} is archived; restore it before it is published`, 'CONFLICT')]
  return publishFaults({ ...after, settings: savedSettings(after.settings, null) }, hasAccount, files).flatMap(
    (fault) => {
      // If a funnel has read problems, its pages may contain replacement values.
      if (fault.code === 'PAYMENT_NOT_CONNECTED' && !isWhole(path)) return []
      return [problem([...path, ...stepsOf(fault.path)], sentenceOf(fault), fault.code)]
    },
  )
}
