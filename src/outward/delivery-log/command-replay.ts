import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { toInstant, UsageError } from '../../base/cli/command'
import { toIso } from '../../base/lib/time'
import { readTypes } from '../../people/events/feed-types'
import { projectOptions, withProject } from '../../projects/project/project-api'
import type { CommandAction } from '../deliveries/command-action'
import { endpointIdOf } from './command-endpoint'

const options = {
  ...projectOptions,
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
    const { queued } = await withProject(io, values, async (project) => {
      const body = { endpointId: await endpointIdOf(project, given), from: toIso(from), to: toIso(to), types }
      return project.call('POST', ['webhook-deliveries', 'replay'], { data: Queued, body })
    })
    io.out(values.json ? JSON.stringify({ queued }) : sentenceOf(queued))
    return 0
  },
}

function sentenceOf(queued: number): string {
  if (queued === 0) return 'No kept event of that time passes the filter of the endpoint.'
  return `${queued} ${queued === 1 ? 'delivery is' : 'deliveries are'} queued; the running server sends them.`
}
