import { parseArgs } from 'node:util'
import { CommandFailure, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { toInstant } from '../../base/cli/option'
import { grouped } from '../../base/cli/progress'
import { reasonOf } from '../../base/cli/reason'
import { stopSignal } from '../../base/cli/storage'
import type { Context } from '../../base/context'
import { isUnavailable } from '../../base/db/errors'
import { requireProject } from '../../projects/project/lookup'
import { toRunView } from './admin-wire'
import { commonOptions, contentOptions, type ExportAction, readContent } from './command-options'
import { type Place, readPlace } from './command-place'
import { exportProgress } from './command-progress'
import { runFolder } from './manifest'
import type { RunRow } from './queries'
import { performSingle, prepareSingle } from './single'

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
      const { id: projectId } = await requireProject(ctx, values.project)
      const order = { ...content, projectId, target: place.target, since } as const
      const { run, isContinued } = await prepareSingle(ctx, order)
      if (isContinued) io.err('This goes on with an export that was interrupted.')
      const done = await write(ctx, run, place, io)
      const folder = `${place.target}/${runFolder(done)}`
      io.out(values.json ? JSON.stringify({ ...toRunView(done), folder }) : sentence(done, folder))
      return 0
    })
  },
}

async function write(ctx: Context, run: RunRow, place: Place, io: Io): Promise<RunRow> {
  const signal = stopSignal(io)
  const isStopping = () => signal.aborted
  const progress = await exportProgress(ctx, run, io)
  try {
    return await performSingle(ctx, run, place, { isStopping, onSeen: (_table, seen) => progress.add(seen) })
  } catch (error) {
    const reason = signal.aborted ? 'the command was interrupted' : reasonOf(error).replace(/\.$/, '')
    const message = `The export is not complete: ${reason}. The same command goes on behind its last complete file.`
    throw new CommandFailure(isUnavailable(error) ? 'DATABASE_UNAVAILABLE' : 'HTTP_ERROR', message)
  } finally {
    progress.end()
  }
}

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
