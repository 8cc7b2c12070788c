import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadCurrent } from '../projects/project-file/load'
import { toFileContent, writeYaml } from '../projects/project-file/write-yaml'
import { type Command, CommandFailure, UsageError } from './command'
import { withContext } from './context'
import { requireProject } from './lookup'

const options = {
  project: { type: 'string' },
  output: { type: 'string', short: 'o' },
  'with-ids': { type: 'boolean' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const exportCommand: Command = {
  name: 'export',
  summary: 'write a project as a file that svc apply reads',
  help: `
svc export --project P [-o FILE] [--with-ids] [--data DIR] [--json]

  Applying the file to the same project changes nothing. Secrets are never written: the file names environment
  variables in their place, and apply keeps the saved ones while those are not set.

  --project P        slug or id
  -o, --output FILE  where to write; without it to the terminal
  --with-ids         adds the ids of the objects, as comments
  --json             JSON instead of YAML

Example: svc export --project sleep-app -o svc.yaml`,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const { project, output, json = false, 'with-ids': withIds = false } = values
    if (project === undefined) throw new UsageError('export needs --project (slug or id)')
    if (json && withIds) throw new UsageError('JSON has no comments for --with-ids to write to')
    return withContext(io, values, async (ctx) => {
      const { id } = await requireProject(ctx, project)
      const current = await loadCurrent(ctx, ctx.vault, id)
      const text = json ? `${JSON.stringify(toFileContent(current), null, 2)}\n` : writeYaml(current, { withIds })
      if (output === undefined) io.out(text.replace(/\n$/, ''))
      else writeTo(output, text)
      return 0
    })
  },
}

function writeTo(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new CommandFailure(`${path} cannot be written (${(error as Error).message})`)
  }
}
