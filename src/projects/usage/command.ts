import { parseArgs } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { projectOptions, withProject } from '../project/project-api'
import { readMonth } from './month'
import { UsageSchema } from './operator-wire'

const options = { ...projectOptions, month: { type: 'string' } } as const

/** A newer server may answer more. */
const Found = Type.Object(
  {
    ...UsageSchema.properties,
    meters: Type.Array(Type.Omit(UsageSchema.properties.meters.items, [], { additionalProperties: true })),
  },
  { additionalProperties: true },
)

export const usageCommand: Command = {
  name: 'usage',
  summary: 'what a project used in a month',
  help: `
svc usage [--month 2026-11]

Events of the event log and of apps, executed SQL queries, webhook deliveries; and what the project has now. Months are those
of UTC. The forecast is what the month will have used at its end when it continues as until now.

  --project P   slug or id; needless with one project
  --month M     a UTC month; without it, the present one
  --json
  --data DIR
${remoteHelp(16)}

Example: svc usage --month 2026-11`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    if (positionals.length > 0) throw new UsageError('usage takes no arguments, only options')
    const query = { month: monthOption(values.month) }
    const found = await withProject(io, values, (project) => project.call('GET', ['usage'], { data: Found, query }))
    print(io, found, values.json === true)
    return 0
  },
}

/** The text of `--month`, when it names a month. */
export function monthOption(text: string | undefined): string | undefined {
  if (text === undefined || readMonth(text)) return text
  throw new UsageError(`--month takes a month such as 2026-11, not "${text}"`)
}

const HEAD = ['METER', 'USED', 'OF', 'FORECAST', 'MONTH BEFORE']

function print(io: Io, found: Static<typeof Found>, json: boolean): void {
  if (json) {
    io.out(JSON.stringify(found))
    return
  }
  const lines = found.meters.flatMap(({ name, used, limit, forecast, previous, parts }) => [
    [name, ...[used, limit, forecast, previous].map(numberOf)],
    ...parts.map((part) => [`  ${part.name}`, numberOf(part.used), '', '', '']),
  ])
  io.out(`${found.period.start.slice(0, 7)} (UTC)\n${table([HEAD, ...lines])}`)
}

const numberOf = (number: number | null): string => (number === null ? '-' : number.toLocaleString('en-US'))
