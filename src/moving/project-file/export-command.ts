import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Command, CommandFailure, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import type { Context } from '../../base/context'
import { requireProject } from '../../projects/project/lookup'
import { loadCurrent } from '../../projects/project-file/load'
import { sectionsOf } from '../../projects/project-file/sections'
import { toFileContent, writeYaml } from '../../projects/project-file/write-yaml'
import { fallbackExport } from '../../targeting/placements/fallback'

const options = {
  project: { type: 'string' },
  output: { type: 'string', short: 'o' },
  'with-ids': { type: 'boolean' },
  fallback: { type: 'boolean' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const exportCommand: Command = {
  name: 'export',
  summary: 'write a project as a file that svc apply reads',
  help: `
svc export --project P [-o FILE] [--with-ids] [--data DIR] [--json]
svc export --project P --fallback [-o FILE]

  Applying the file to the same project changes nothing. Secrets are never written: the file names environment
  variables in their place, and apply keeps the saved ones while those are not set.

  --project P        slug or id
  -o, --output FILE  where to write; without it to the terminal
  --with-ids         adds the ids of the objects, as comments
  --json             JSON instead of YAML
  --fallback         instead of the file, what its placements show to an anonymous caller: JSON that an app carries
                     along for the time that it has no network

Example: svc export --project sleep-app -o svc.yaml`,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const { project, output } = values
    if (project === undefined) throw new UsageError('export needs --project (slug or id)')
    if (values['with-ids'] && (values.json || values.fallback))
      throw new UsageError('JSON has no comments for --with-ids to write to')
    return withContext(io, values, async (ctx) => {
      const { id } = await requireProject(ctx, project)
      const text = await (values.fallback ? fallbackText(ctx, id) : fileText(ctx, id, values))
      if (output === undefined) io.out(text.replace(/\n$/, ''))
      else writeTo(output, text)
      return 0
    })
  },
}

const toText = (content: object): string => `${JSON.stringify(content, null, 2)}\n`

const fallbackText = async (ctx: Context, projectId: string): Promise<string> =>
  toText(await fallbackExport(ctx, await ctx.state.projects.get(projectId)))

interface Values {
  json?: boolean | undefined
  'with-ids'?: boolean | undefined
}

async function fileText(
  ctx: Context,
  projectId: string,
  { json = false, 'with-ids': withIds = false }: Values,
): Promise<string> {
  const current = await loadCurrent(ctx, projectId, sectionsOf(ctx.hooks))
  return json ? toText(toFileContent(current)) : writeYaml(current, { withIds })
}

function writeTo(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new CommandFailure('HTTP_ERROR', `${path} cannot be written (${(error as Error).message})`)
  }
}
