import type { Examination } from '../../base/cli/doctor'
import { listReadableEndpoints } from './queries'
import { openSecrets } from './secrets'

const UNREADABLE = 'eventTypes or environments are no JSON'

/** Whether every webhook endpoint can be read and can sign. */
export const webhookExamination: Examination = {
  name: 'webhooks',
  async project({ handle, vault, now }, { id: projectId }) {
    const { rows, unreadable } = await listReadableEndpoints(handle, projectId)
    const silent = rows.filter((row) => row.isEnabled && openSecrets({ vault }, row, now) === null)
    return {
      faults: silent.map(({ name }) => sealed(name)),
      broken: unreadable.map((id) => ({
        ...{ kind: 'webhookEndpoint', id, name: null, path: 'eventTypes', message: UNREADABLE },
      })),
    }
  },
}

const sealed = (name: string): string =>
  `Nothing is sent to the webhook endpoint ${name}, because its signing secret does not open; bring back the master key of before, or rotate the secret.`
