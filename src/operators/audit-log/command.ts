import { parseArgs } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { type Command, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { projectOptions, withProject } from '../../projects/project/project-api'
import { ProofAnswer } from './wire'

/** A newer server may answer more. */
const Proof = Type.Omit(ProofAnswer.properties.data, [], { additionalProperties: true })

export const auditCommand: Command = {
  name: 'audit',
  summary: 'verify the audit log of a project',
  help: `
svc audit proof --project P

Computes the hash of every row of the audit log again and prints the number of rows and the hash of the newest one. Note
both down outside of this server: with them you notice later that rows are missing at the end. Exits with 1 and names
the first wrong row when the log was changed in the database.
Options: --data DIR, --json
${remoteHelp(14)}

Example: svc audit proof --project sleep-app`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: projectOptions })
    if (positionals.join(' ') !== 'proof') throw new UsageError('audit takes proof')
    return withProject(io, values, async (project) => {
      const proof = await project.call('GET', ['audit-log', 'proof'], { data: Proof })
      io.out(values.json ? JSON.stringify(proof) : toText(proof))
      return proof.ok ? 0 : 1
    })
  },
}

const toText = ({ head, count, firstBadId }: Static<typeof Proof>): string =>
  [
    `rows  ${count}`,
    `head  ${head}`,
    firstBadId === null
      ? 'All rows verify.'
      : `The log was changed in the database. The first wrong row is ${firstBadId}.`,
  ].join('\n')
