import { parseArgs } from 'node:util'
import { type Command, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { type AuditProof, verifyAudit } from '../../projects/audit/audit'
import { requireProject } from '../../projects/project/lookup'
import { toProofView } from './wire'

const options = {
  project: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const auditCommand: Command = {
  name: 'audit',
  summary: 'verify the audit log of a project',
  help: `
svc audit proof --project P

Computes the hash of every row of the audit log again and prints the number of rows and the hash of the newest one. Note
both down outside of this server: with them you notice later that rows are missing at the end. Exits with 1 and names
the first wrong row when the log was changed in the database.
Options: --data DIR, --json

Example: svc audit proof --project sleep-app`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    if (positionals.join(' ') !== 'proof') throw new UsageError('audit takes proof')
    return withContext(io, values, async (ctx) => {
      const { id } = await requireProject(ctx, values.project)
      const proof = await verifyAudit(ctx, id)
      io.out(values.json ? JSON.stringify(toProofView(proof)) : toText(proof))
      return proof.ok ? 0 : 1
    })
  },
}

const toText = ({ head, count, firstBadId }: AuditProof): string =>
  [
    `rows  ${count}`,
    `head  ${head}`,
    firstBadId === null
      ? 'All rows verify.'
      : `The log was changed in the database. The first wrong row is ${firstBadId}.`,
  ].join('\n')
