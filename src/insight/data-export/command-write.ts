import { CommandFailure, type Io } from '../../base/cli/command'
import { reasonOf } from '../../base/cli/reason'
import { stopSignal } from '../../base/cli/storage'
import type { Context } from '../../base/context'
import { isUnavailable } from '../../base/db/errors'
import { exportProgress } from './command-progress'
import type { RunRow } from './queries'
import { performSingle, type SinglePlace } from './single'

/** Writes a run with its progress on the terminal. A failure is one sentence. */
export async function writeRun(ctx: Context, run: RunRow, place: SinglePlace, io: Io): Promise<RunRow> {
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
