import { parseArgs } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { UsageError } from '../../base/cli/command'
import { toLimit } from '../../base/cli/option'
import { listRemote } from '../../base/cli/remote-list'
import { pathOf, requireRemoteProject } from '../../base/cli/remote-project'
import { table } from '../../base/cli/table'
import { withTarget } from '../../base/cli/target'
import type { Context } from '../../base/context'
import type { Position } from '../../base/http/list'
import { requireProject } from '../../projects/project/lookup'
import type { CommandAction } from '../deliveries/command-action'
import { localEndpointId, remoteEndpointId } from './command-endpoint'
import { commonOptions } from './command-options'
import { type LogFilter, listDeliveries } from './list'
import { DeliveryView, STATUSES, toDeliveryView } from './wire'

const options = {
  ...commonOptions,
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
    const filter = {
      status: readStatus(values.status),
      type: values.type,
      subscriberId: values.subscriber,
    }
    const limit = toLimit(values.limit)
    const deliveries = await withTarget(io, values, {
      machine: (ctx) => listLocal(ctx, values.project, { ...filter, endpoint: values.endpoint }, limit),
      server: async (remote) => {
        const project = await requireRemoteProject(remote, values.project)
        const { endpoint } = values
        const endpointId = endpoint === undefined ? undefined : await remoteEndpointId(remote, project, endpoint)
        const query = { ...filter, endpointId }
        return (await listRemote(remote, pathOf(project, 'webhook-deliveries'), { item: Item, query, limit })).items
      },
    })
    if (values.json) io.out(JSON.stringify({ deliveries }))
    else io.out(deliveries.length === 0 ? 'There is no such delivery.' : toTable(deliveries))
    return 0
  },
}

/** A newer server may answer more. */
const Item = Type.Omit(DeliveryView, [], { additionalProperties: true })

interface Filter {
  /** Its name or id. */
  endpoint: string | undefined
  status: (typeof STATUSES)[number] | undefined
  type: string | undefined
  subscriberId: string | undefined
}

function readStatus(text: string | undefined): Filter['status'] {
  if (text === undefined) return undefined
  const status = STATUSES.find((one) => one === text.toUpperCase())
  if (!status) throw new UsageError(`--status is one of ${STATUSES.join(', ')}`)
  return status
}

async function listLocal(
  ctx: Context,
  project: string | undefined,
  { endpoint, status, type, subscriberId }: Filter,
  limit: number,
): Promise<Shown[]> {
  const { id: projectId } = await requireProject(ctx, project)
  const found: LogFilter = {
    projectId,
    kind: 'WEBHOOK',
    targetId: endpoint === undefined ? null : await localEndpointId(ctx, projectId, endpoint),
    status: status ?? null,
    type: type ?? null,
    subscriberId: subscriberId ?? null,
  }
  const shown: Shown[] = []
  for (let after: Position | null = null; ; ) {
    const page = await listDeliveries(ctx, found, { after, limit: Math.min(PAGE, limit - shown.length) })
    shown.push(...page.rows.map(toDeliveryView))
    after = page.next
    if (after === null || shown.length >= limit) return shown
  }
}

const PAGE = 200

const toTable = (deliveries: readonly Shown[]): string =>
  table([['id', 'status', 'type', 'attempts', 'last', 'next attempt', 'endpoint'], ...deliveries.map(toLine)])

const toLine = ({ id, status, type, attempts, lastStatusCode, lastError, nextAttemptAt, endpointId }: Shown) => [
  ...[id, status, type, String(attempts)],
  lastStatusCode === null ? (lastError ?? '-') : String(lastStatusCode),
  nextAttemptAt ?? '-',
  endpointId,
]
