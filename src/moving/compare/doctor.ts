import type { Examination } from '../../base/cli/doctor'
import { type Finding, finding } from '../../core/finding/findings'
import { openKey } from './key'
import { findSchedule, pageRuns, type RunRow } from './queries'

/** Whether the nightly comparison can be made, and how the last one ended. */
export const compareExamination: Examination = {
  name: 'compare',
  async project({ handle, vault }, { id: projectId }) {
    const schedule = await findSchedule(handle, projectId)
    if (!schedule?.isEnabled) return { faults: [] }
    if (openKey({ vault }, projectId, schedule.sealedKey) === null) return { faults: [SEALED] }
    const last = (await pageRuns(handle, projectId, { limit: LAST })).find(({ isScheduled }) => isScheduled)
    return { faults: last?.status === 'FAILED' ? [failed(last)] : [] }
  },
}

const LAST = 20

const SEALED = finding(
  'COMPARE_SEALED',
  {},
  'Nothing is compared at night, because the key of the vendor does not open; bring back the master key of before, or set the schedule again.',
)

const failed = ({ id, error }: RunRow): Finding =>
  finding(
    'COMPARE_FAILED',
    { error: error ?? '—' },
    `The last nightly comparison (${id}) has stopped: ${error ?? 'no reason is known'}`,
  )
