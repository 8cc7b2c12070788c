import { parseArgs } from 'node:util'
import { type Command, UsageError } from '../base/cli/command'
import { openContext } from '../base/cli/context'
import { machineEnvironment } from '../base/cli/installation'
import { readConfig } from '../base/config'
import { migrate, migrationStatus } from '../base/db/migrate'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'bring the database up to date, or show its state',
  help: `
svc migrate [up|status] [--data DIR] [--json]

  up      apply what is missing (the default); safe to run again and from several machines at once
  status  list the migrations and whether each is applied

Example: svc migrate --data /var/lib/svc`,
  async run(args, io) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { data: { type: 'string' }, json: { type: 'boolean' } },
    })
    const action = positionals[0] ?? 'up'
    if ((action !== 'up' && action !== 'status') || positionals.length > 1)
      throw new UsageError(`migrate takes up or status, not "${positionals.join(' ')}"`)
    const ctx = await openContext(io, readConfig(machineEnvironment(io, values), values))
    try {
      if (action === 'status') {
        const status = await migrationStatus(ctx.storage)
        io.out(
          values.json
            ? JSON.stringify({ migrations: status })
            : status.map(({ tag, isApplied }) => `${isApplied ? 'applied' : 'missing'}  ${tag}`).join('\n'),
        )
        return 0
      }
      const applied = await migrate(ctx.storage)
      io.out(
        values.json
          ? JSON.stringify({ applied })
          : applied.length === 0
            ? 'The database is up to date.'
            : `Applied: ${applied.join(', ')}`,
      )
      return 0
    } finally {
      await ctx.close()
    }
  },
}
