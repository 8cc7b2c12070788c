import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { type Command, CommandFailure, UsageError } from '../../base/cli/command'
import { type Remote, remoteHelp, remoteOptions } from '../../base/cli/remote'
import { pathOf, requireRemoteProject } from '../../base/cli/remote-project'
import { withTarget } from '../../base/cli/target'
import type { Context } from '../../base/context'
import { requireProject } from '../../projects/project/lookup'
import { loadCurrent } from '../../projects/project-file/load'
import { sectionsOf } from '../../projects/project-file/sections'
import { fallbackExport } from '../../targeting/placements/fallback'
import { exportWithData } from '../project-move/export-command'
import { exportText, toJsonText } from './export-text'

const options = {
  project: { type: 'string' },
  output: { type: 'string', short: 'o' },
  'with-ids': { type: 'boolean' },
  fallback: { type: 'boolean' },
  'with-data': { type: 'boolean' },
  'passphrase-env': { type: 'string' },
  force: { type: 'boolean' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  ...remoteOptions,
} as const

export const exportCommand: Command = {
  name: 'export',
  summary: 'write a project as a file that svc apply reads',
  help: `
svc export --project P [-o FILE] [--with-ids] [--data DIR | --url URL] [--json]
svc export --project P --fallback [-o FILE]
svc export --project P --with-data [-o FILE] [--force] [--passphrase-env NAME] [--data DIR] [--json]

  Applying the file to the same project changes nothing. Secrets are never written: the file names environment
  variables in their place, and apply keeps the saved ones while those are not set.

  --project P        slug or id
  -o, --output FILE  where to write; without it to the terminal
  --with-ids         adds the ids of the objects, as comments
  --json             JSON instead of YAML
  --fallback         instead of the file, what its placements show to an anonymous caller: JSON that an app carries
                     along for the time that it has no network
  --with-data        the whole project, its configuration and all its data, as one file for another deployment, where
                     svc import takes it; its digest is printed. Without -o the file is named after the project
  --force            replace FILE if it is there
  --passphrase-env N the environment variable with a passphrase that encrypts the stored credentials in that file;
                     without it they open only where the same SVC_MASTER_KEY is
${remoteHelp(21)}

Example: svc export --project sleep-app -o svc.yaml`,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const { project, output } = values
    if (project === undefined) throw new UsageError('export needs --project (slug or id)')
    if (values['with-data']) return exportWithData(io, project, values)
    if (values.force || values['passphrase-env'] !== undefined)
      throw new UsageError('--force and --passphrase-env go with --with-data')
    if (values['with-ids'] && (values.json || values.fallback))
      throw new UsageError('JSON has no comments for --with-ids to write to')
    const text = await withTarget(io, values, {
      server: (remote) => remoteText(remote, project, values),
      machine: (ctx) => localText(ctx, project, values),
    })
    if (output === undefined) io.out(text.replace(/\n$/, ''))
    else writeTo(output, text)
    return 0
  },
}

interface Values {
  json?: boolean | undefined
  fallback?: boolean | undefined
  'with-ids'?: boolean | undefined
}

async function localText(ctx: Context, ref: string, values: Values): Promise<string> {
  const { json = false, fallback = false, 'with-ids': withIds = false } = values
  const { id } = await requireProject(ctx, ref)
  if (fallback) return toJsonText(await fallbackExport(ctx, await ctx.state.projects.get(id)))
  return exportText(ctx.config, await loadCurrent(ctx, id, sectionsOf(ctx.hooks)), { isJson: json, withIds })
}

const textOrNull = Type.Union([Type.String(), Type.Null()])
const Exported = Type.Object({ yaml: textOrNull, json: textOrNull })

async function remoteText(remote: Remote, ref: string, values: Values): Promise<string> {
  const project = await requireRemoteProject(remote, ref)
  if (values.fallback) return toJsonText(await remote.download(pathOf(project, 'placements', 'fallback-export')))
  const query = { format: values.json ? 'json' : 'yaml', withIds: values['with-ids'] ? 'true' : undefined }
  const { yaml, json } = await remote.call('GET', pathOf(project, 'project-file'), { data: Exported, query })
  return yaml ?? json ?? ''
}

function writeTo(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new CommandFailure('HTTP_ERROR', `${path} cannot be written (${(error as Error).message})`)
  }
}
