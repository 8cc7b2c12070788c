import { writeFile } from 'node:fs/promises'
import { CommandFailure, type Io } from '../../base/cli/command'
import { startProgress } from '../../base/cli/progress'
import { reasonOf } from '../../base/cli/reason'
import { stopSignal } from '../../base/cli/storage'
import type { Context } from '../../base/context'
import { isUnavailable } from '../../base/db/errors'
import { toCsvLine } from '../../base/http/csv'
import { reasonText } from '../../core/reason/reasons'
import { CompareStopped } from './client'
import { FINDING_COLUMNS, findingCells, findingPages } from './csv'
import { type RunRow, updateOwnRun } from './queries'
import { performRun, type RunParts } from './run'

/** Works on a run with its progress on the terminal. A failure is one sentence. */
export async function performHere(
  ctx: Context,
  run: RunRow,
  asked: Pick<RunParts, 'key' | 'listed'>,
  io: Io,
): Promise<RunRow> {
  const signal = stopSignal(io)
  const { people, done } = run.counters
  const total = Math.max(0, people - done)
  const progress = startProgress(io, { label: 'Comparing', unit: 'people', total })
  let seen = 0
  const onSeen = () => progress.at(Math.min(++seen, total)) // Some are read twice.
  try {
    return await performRun(ctx, run, { ...asked, signal, onSeen })
  } catch (error) {
    throw await stopped(ctx, run, error, signal)
  } finally {
    progress.end()
  }
}

/** The run stays open, so that it can continue. */
async function stopped(ctx: Context, run: RunRow, error: unknown, signal: AbortSignal): Promise<CommandFailure> {
  const reason = signal.aborted ? reasonText('COMMAND_INTERRUPTED') : reasonOf(error).replace(/\.$/, '')
  await ctx.write((tx) => updateOwnRun(tx, run, { owner: null, error: reason })).catch(() => {})
  const isEnded = !signal.aborted && error instanceof CompareStopped && error.why === 'ENDED'
  const advice = isEnded ? '' : ' The same command with --resume goes on behind the last person.'
  const message = `The comparison is not complete: ${reason}.${advice}`
  return new CommandFailure(isUnavailable(error) ? 'DATABASE_UNAVAILABLE' : 'HTTP_ERROR', message)
}

/** The differences of a run as a file. */
export async function writeCsv(ctx: Context, run: RunRow, path: string): Promise<void> {
  async function* lines() {
    yield toCsvLine(FINDING_COLUMNS)
    for await (const page of findingPages(ctx, run.id, null))
      yield page.map((row) => toCsvLine(findingCells(row))).join('')
  }
  await writeFile(path, lines()).catch((error: unknown) => {
    throw new CommandFailure('HTTP_ERROR', `${path} cannot be written: ${reasonOf(error)}.`)
  })
}
