import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { UsageError } from '../../base/cli/command'
import { toInstant } from '../../base/cli/option'
import { pathOf, requireRemoteProject } from '../../base/cli/remote-project'
import { withTarget } from '../../base/cli/target'
import { toIso } from '../../base/lib/time'
import { readTypes } from '../../people/events/feed-types'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { requireProject } from '../../projects/project/lookup'
import type { CommandAction } from '../deliveries/command-action'
import { localEndpointId, remoteEndpointId } from './command-endpoint'
import { commonOptions } from './command-options'
import { replayDeliveries } from './replay'

const options = {
  ...commonOptions,
  from: { type: 'string' },
  to: { type: 'string' },
  types: { type: 'string' },
} as const

const Queued = Type.Object({ queued: Type.Integer() })

/** `svc webhook replay`. */
export const replayAction: CommandAction = {
  usage: 'svc webhook replay NAME --from T [--to T] delivers the events of a time range again [--types a,b]',
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [given, ...more] = positionals
    if (given === undefined || more.length > 0)
      throw new UsageError('webhook replay takes the name or id of one endpoint')
    const from = toInstant('--from', values.from)
    if (from === undefined) throw new UsageError('webhook replay needs --from, a time like 2026-11-20T08:00:00Z')
    const to = toInstant('--to', values.to) ?? io.clock.now()
    if (to < from) throw new UsageError('--to lies before --from')
    const types = readTypes(values.types)
    const queued = await withTarget(io, values, {
      machine: async (ctx) => {
        const { id: projectId } = await requireProject(ctx, values.project)
        const by = { projectId, kind: 'WEBHOOK', actor: CLI_ACTOR } as const
        const targetId = await localEndpointId(ctx, projectId, given)
        return replayDeliveries(ctx, by, { targetId, from, to, types })
      },
      server: async (remote) => {
        const project = await requireRemoteProject(remote, values.project)
        const endpointId = await remoteEndpointId(remote, project, given)
        const path = pathOf(project, 'webhook-deliveries', 'replay')
        const body = { endpointId, from: toIso(from), to: toIso(to), types }
        return (await remote.call('POST', path, { data: Queued, body })).queued
      },
    })
    io.out(values.json ? JSON.stringify({ queued }) : sentenceOf(queued))
    return 0
  },
}

function sentenceOf(queued: number): string {
  if (queued === 0) return 'No kept event of that time passes the filter of the endpoint.'
  return `${queued} ${queued === 1 ? 'delivery is' : 'deliveries are'} queued; the running server sends them.`
}
