import { parseArgs } from 'node:util'
import { toInstant, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { grouped } from '../../base/cli/progress'
import { requireProject } from '../../projects/project/lookup'
import { toRunView } from './admin-wire'
import { commonOptions, contentOptions, type ExportAction, readContent, readCredentials } from './command-options'
import { readPlace } from './command-place'
import { writeRun } from './command-write'
import { runFolder } from './manifest'
import type { Destination } from './model'
import type { RunRow } from './queries'
import { prepareSingle } from './single'

/** The export itself, which has no name of its own on the command line. */
export const exportAction: ExportAction = {
  usage: `svc export-data [--table T,…] [--format F] [--columns C] [--to PLACE] [--since TIME]
                                  writes files and a manifest.json into a new folder of PLACE`,
  async run(args, io) {
    const options = { ...commonOptions, ...contentOptions, since: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    if (positionals.length > 0) throw new UsageError(`export-data does not know "${positionals[0]}"; see --help`)
    const content = readContent(values)
    const place = readPlace(values, io)
    const since = values.since === 'last' ? 'last' : (toInstant('--since', values.since) ?? null)
    return withContext(io, values, async (ctx) => {
      const credentials = place.destination.kind === 's3' ? readCredentials(io) : null
      const { id: projectId } = await requireProject(ctx, values.project)
      const order = { ...content, projectId, target: place.target, since } as const
      const { run, isContinued } = await prepareSingle(ctx, order)
      if (isContinued) io.err('This goes on with an export that was interrupted.')
      const done = await writeRun(ctx, run, { ...place, credentials }, io)
      const folder = `${placeName(place.destination)}/${runFolder(done)}`
      io.out(values.json ? JSON.stringify({ ...toRunView(done), folder }) : sentence(done, folder))
      return 0
    })
  },
}

const placeName = (destination: Destination): string =>
  destination.kind === 'folder'
    ? destination.path
    : ['s3:/', destination.bucket, destination.prefix].filter((part) => part !== '').join('/')

function sentence(run: RunRow, folder: string): string {
  const { files } = run.progress
  const megabytes = (run.byteCount / 1_000_000).toFixed(1)
  const { from, until } = toRunView(run)
  const window = from === null ? `Every row that was made before ${until}` : `Rows that changed since ${from}`
  return [
    `${folder}: ${grouped(run.rowCount)} rows in ${files.length} files, ${megabytes} MB.`,
    `${window}. The next export of what changed since: --since last`,
  ].join('\n')
}
