import { parseArgs } from 'node:util'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { table } from '../../base/cli/table'
import { DAY } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import { requireProject } from '../project/lookup'
import { monthOption } from './command'
import { type Recount, recountUsage } from './recount'

const options = {
  project: { type: 'string' },
  month: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const billingCommand: Command = {
  name: 'billing',
  summary: 'counted usage beside a recount',
  help: `
svc billing recount [--month 2026-11]      exit code 3 when a meter and the rows differ

Counts the rows behind the meters of a month again, with those that retention and erasures have deleted since. It reads the
rows of a whole month, and changes nothing.

  --project P   slug or id; needless with one project
  --month M     a UTC month; without it, the present one
  --data DIR, --json

Example: svc billing recount --month 2026-11`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    if (positionals.length !== 1 || positionals[0] !== 'recount') throw new UsageError('billing takes recount')
    const month = monthOption(values.month)
    return withContext(io, values, async (ctx) => {
      const { id } = await requireProject(ctx, values.project)
      return print(io, await recountUsage(ctx, id, month), values.json === true)
    })
  },
}

function print(io: Io, { period, meters, differences }: Recount, json: boolean): number {
  const days = differences.map(({ day, ...rest }) => ({ ...rest, day: toIso(day * DAY).slice(0, 10) }))
  if (json) {
    io.out(JSON.stringify({ month: period.name, meters, differences: days }))
  } else {
    const rows = meters.map(({ meter, counted, found }) => [meter, String(counted), String(found)])
    io.out(`${period.name} (UTC)\n${table([['METER', 'COUNTED', 'FOUND'], ...rows])}`)
    for (const { day, meter, counted, found } of days)
      io.err(`On ${day}, ${meter} was counted ${counted} times, and there are ${found}.`)
  }
  return differences.length > 0 ? 3 : 0
}
