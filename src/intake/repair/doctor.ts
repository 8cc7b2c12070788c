import type { Examination } from '../../base/cli/doctor'
import { listFormerKeyed } from '../../people/purchases/join-queries'

/** Beyond it the number is not counted. */
const MANY = 1000

/** Whether purchases of an earlier release are still to be joined. */
export const repairExamination: Examination = {
  name: 'purchases-repair',
  async project({ handle }, { id, slug }) {
    const { length } = await listFormerKeyed(handle, id, '', MANY)
    return { gaps: length === 0 ? [] : [waitingSentence(length, slug)] }
  },
}

const waitingSentence = (count: number, slug: string): string =>
  `${count === MANY ? `${MANY} or more` : count} purchases of the App Store have a key of an earlier release. A running server repairs them within minutes; svc purchases repair --project ${slug} does it now.`
