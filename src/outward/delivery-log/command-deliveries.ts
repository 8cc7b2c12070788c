import { parseArgs } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { toLimit, UsageError } from '../../base/cli/command'
import { table } from '../../base/cli/table'
import { projectOptions, withProject } from '../../projects/project/project-api'
import type { CommandAction } from '../deliveries/command-action'
import { endpointIdOf } from './command-endpoint'
import { DeliveryView, STATUSES } from './wire'

const options = {
  ...projectOptions,
  endpoint: { type: 'string' },
  status: { type: 'string' },
  type: { type: 'string' },
  subscriber: { type: 'string' },
  limit: { type: 'string' },
} as const

type Shown = Static<typeof DeliveryView>

/** `svc webhook deliveries`. */
export const deliveriesAction: CommandAction = {
  usage:
    'svc webhook deliveries [--status DEAD]    what was sent, newest first [--endpoint NAME --type T --subscriber ID --limit 50]',
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    if (positionals.length > 0) throw new UsageError('webhook deliveries takes no name')
    const { type, subscriber: subscriberId, endpoint } = values
    const status = readStatus(values.status)
    const limit = toLimit(values.limit)
    const { items: deliveries } = await withProject(io, values, async (project) => {
      const endpointId = endpoint === undefined ? undefined : await endpointIdOf(project, endpoint)
      const query = { status, type, subscriberId, endpointId }
      return project.list(['webhook-deliveries'], { item: Delivery, query, limit })
    })
    if (values.json) io.out(JSON.stringify({ deliveries }))
    else io.out(deliveries.length === 0 ? 'There is no such delivery.' : toTable(deliveries))
    return 0
  },
}

/** A newer server may answer more. */
export const Delivery = Type.Omit(DeliveryView, [], { additionalProperties: true })

function readStatus(text: string | undefined): (typeof STATUSES)[number] | undefined {
  if (text === undefined) return undefined
  const status = STATUSES.find((one) => one === text.toUpperCase())
  if (!status) throw new UsageError(`--status is one of ${STATUSES.join(', ')}`)
  return status
}

const toTable = (deliveries: readonly Shown[]): string =>
  table([['id', 'status', 'type', 'attempts', 'last', 'next attempt', 'endpoint'], ...deliveries.map(toLine)])

const toLine = ({ id, status, type, attempts, lastStatusCode, lastError, nextAttemptAt, endpointId }: Shown) => [
  ...[id, status, type, String(attempts)],
  lastStatusCode === null ? (lastError ?? '-') : String(lastStatusCode),
  nextAttemptAt ?? '-',
  endpointId,
]
