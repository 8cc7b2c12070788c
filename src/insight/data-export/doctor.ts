import type { Examination } from '../../base/cli/doctor'
import { type Finding, finding } from '../../core/finding/findings'
import { openCredentials } from './credentials'
import { listSchedules, type ScheduleRow } from './queries'

/** Whether the scheduled exports are written, and the credentials of their buckets open. */
export const exportExamination: Examination = {
  name: 'data-export',
  async project({ handle, vault }, { id: projectId }) {
    const schedules = (await listSchedules(handle, projectId)).filter(({ isEnabled }) => isEnabled)
    const sealed = schedules.filter((row) => row.sealedCredentials !== null && openCredentials({ vault }, row) === null)
    const failing = schedules.filter((row) => row.failures > 0 && !sealed.includes(row))
    return { faults: [...sealed.map(sealedFault), ...failing.map(failedFault)] }
  },
}

const sealedFault = ({ id, target }: ScheduleRow): Finding =>
  finding(
    'EXPORT_SEALED',
    { target },
    `Nothing is exported to ${target} (${id}), because its credentials do not open; bring back the master key of before, or give the schedule its credentials again.`,
  )

const failedFault = ({ id, target, failures, lastError }: ScheduleRow): Finding =>
  finding(
    'EXPORT_FAILED',
    { target, failures, error: lastError ?? '—' },
    `The export to ${target} (${id}) has failed ${failures === 1 ? 'once' : `${failures} times in a row`} (${lastError}); correct the schedule, it is tried again every day.`,
  )
