import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { type Command, CommandFailure, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { type ProjectApi, projectOptions, withProject } from '../../projects/project/project-api'
import { exportWithData } from '../project-move/export-command'
import { toJsonText } from './export-text'

const options = {
  ...projectOptions,
  output: { type: 'string', short: 'o' },
  'with-ids': { type: 'boolean' },
  fallback: { type: 'boolean' },
  'with-data': { type: 'boolean' },
  'passphrase-env': { type: 'string' },
  force: { type: 'boolean' },
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
                     svc import takes it; its digest is printed. Without -o the file is named after the project.
                     Pictures, videos and fonts are in FILE.files beside it
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
    const text = await withProject(io, values, (found) => textOf(found, values))
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

const textOrNull = Type.Union([Type.String(), Type.Null()])
const Exported = Type.Object({ yaml: textOrNull, json: textOrNull })

/** The project file of a project as text. */
export async function textOf(project: ProjectApi, values: Values): Promise<string> {
  if (values.fallback) return toJsonText(await project.download(['placements', 'fallback-export']))
  const query = { format: values.json ? 'json' : 'yaml', withIds: values['with-ids'] ? 'true' : undefined }
  const { yaml, json } = await project.call('GET', ['project-file'], { data: Exported, query })
  return yaml ?? json ?? ''
}

function writeTo(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new CommandFailure('HTTP_ERROR', `${path} cannot be written (${(error as Error).message})`)
  }
}
