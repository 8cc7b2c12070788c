import type { Examination } from '../../base/cli/doctor'
import { type Finding, finding } from '../../core/finding/findings'
import type { DisabledReason } from '../deliveries/model'
import { listReadableEndpoints } from './queries'
import { openSecrets } from './secrets'

const UNREADABLE = 'eventTypes or environments are no JSON'

/** Whether every webhook endpoint can be read, can sign, and was not switched off by the server. */
export const webhookExamination: Examination = {
  name: 'webhooks',
  async project({ handle, vault, now }, { id: projectId }) {
    const { rows, unreadable } = await listReadableEndpoints(handle, projectId)
    const silent = rows.filter((row) => row.isEnabled && openSecrets({ vault }, row, now) === null)
    return {
      faults: silent.map(({ name }) => sealed(name)),
      gaps: rows.flatMap(({ name, isEnabled, disabledReason }) =>
        isEnabled || disabledReason === null ? [] : switchedOff(name, disabledReason),
      ),
      broken: unreadable.map((id) => ({
        ...{ kind: 'webhookEndpoint', id, name: null, path: 'eventTypes', message: UNREADABLE },
      })),
    }
  },
}

const sealed = (name: string): Finding =>
  finding(
    'WEBHOOK_SEALED',
    { name },
    `Nothing is sent to the webhook endpoint ${name}, because its signing secret does not open; bring back the master key of before, or rotate the secret.`,
  )

const WHY: Readonly<Record<DisabledReason, string>> = {
  GONE: 'its address answered 410',
  FAILING: 'nothing could be delivered to it for five days',
}

const CODES = { GONE: 'WEBHOOK_GONE', FAILING: 'WEBHOOK_FAILING' } as const

const switchedOff = (name: string, reason: DisabledReason): Finding =>
  finding(
    CODES[reason],
    { name },
    `The webhook endpoint ${name} was switched off, because ${WHY[reason]}; correct the receiver, switch it on again, and replay what it has missed.`,
  )
