import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Command, CommandFailure, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { projectOptions, withProject } from '../../projects/project/project-api'
import { clientTypes, type NamedParts } from './client-types'
import { textOf } from './export-command'

const options = { ...projectOptions, out: { type: 'string' }, check: { type: 'string' } } as const

/** The exit code when the file is not what the project has now. */
const DIFFERENT = 3

export const typesCommand: Command = {
  name: 'types',
  summary: 'write the names of a project as types of the client, or check that they are up to date',
  help: `
svc types --project P [--out FILE]
svc types --project P --check FILE

  Flags with their types, experiments with their variants, placements, offerings, access levels and currencies, as a
  declaration file for @svc/client/core. Names that the project does not have do not compile then.

  --project P   slug or id
  --out FILE    where to write; without it to the terminal
  --check FILE  writes nothing; exits 3 when FILE is not what would be written, so that a build can fail
${remoteHelp(16)}

Options: --data DIR, --json

Example: svc types --project sleep-app --out src/svc.d.ts`,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const { project, out, check, json } = values
    if (project === undefined) throw new UsageError('types needs --project (slug or id)')
    if (out !== undefined && check !== undefined) throw new UsageError('--check writes nothing, so it excludes --out')
    const text = await withProject(io, values, (found) => textOf(found, { json: true }))
    const types = clientTypes(project, JSON.parse(text) as NamedParts)
    if (check !== undefined) {
      const isSame = existsSync(check) && readFileSync(check, 'utf8') === types
      const advice = `${check} is not what the project has; run svc types --project ${project} --out ${check}`
      io.out(json ? JSON.stringify({ file: check, isSame }) : isSame ? `${check} is up to date` : advice)
      return isSame ? 0 : DIFFERENT
    }
    if (out === undefined) io.out(json ? JSON.stringify({ types }) : types.trimEnd())
    else {
      write(out, types)
      io.out(json ? JSON.stringify({ file: out }) : `${out} is written`)
    }
    return 0
  },
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new CommandFailure('HTTP_ERROR', `${path} cannot be written (${(error as Error).message})`)
  }
}
