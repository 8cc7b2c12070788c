import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import { reasonText } from '../../core/reason/reasons'
import type { ProjectState } from '../../projects/project/state'
import { MANIFEST, manifestOf, sumOf } from './manifest'
import { type ExportProgress, type ExportTable, SPLIT_LIMITS, type SplitLimits } from './model'
import { type RunRow, updateOwnRun } from './queries'
import type { ExportTarget } from './targets/target'
import { type OnPage, writeRows } from './write-file'

/** The process must end, or another process works on the run now. What is complete stays, and the run can continue. */
export class ExportStopped extends Error {}

export interface RunParts {
  target: ExportTarget
  limits?: SplitLimits
  onSeen?(table: ExportTable, seen: number): void
  isStopping(): boolean
  /** Waits after each page for as long as the page took, so that others have half of the time. */
  isGentle?: boolean
}

/**
 * Works on a run until it is complete: file by file, each in its place before the next starts, and the manifest last. A
 * run that was interrupted continues behind its last complete file.
 */
export async function performRun(ctx: Context, run: RunRow, parts: RunParts): Promise<RunRow> {
  const project = await ctx.state.projects.find(run.projectId)
  if (!project) throw notFound('project', run.projectId)
  const onPage = watchPages(ctx, run, parts)
  let current = run
  for (let table = current.content[current.progress.table]; table; table = current.content[current.progress.table])
    current = await addFile(ctx, current, { ...parts, project, table, onPage })
  const now = ctx.clock.now()
  await parts.target.placeText(MANIFEST, `${JSON.stringify(manifestOf(current, project.slug, now), null, 2)}\n`)
  return save(ctx, current, { status: 'COMPLETED', owner: null, error: null, finishedAt: now })
}

interface FileParts extends RunParts {
  project: ProjectState
  table: ExportTable
  onPage: OnPage
}

async function addFile(ctx: Context, run: RunRow, parts: FileParts): Promise<RunRow> {
  const { target, project, table, onPage, limits = SPLIT_LIMITS } = parts
  const { after, files } = run.progress
  const number = files.filter((file) => file.table === table).length + 1
  const name = `${table}-${String(number).padStart(6, '0')}.${run.format}`
  const path = target.partPath(name)
  const written = await writeRows(ctx, { run, project, table, after, name, path, limits, onPage })
  await save(ctx, run, {}) // Another process that works on the run now may have placed this file already.
  await sayingSo(ctx, run, target.place(name))
  return save(ctx, run, progressed(run.progress, written))
}

function progressed(
  { table, files }: ExportProgress,
  { file, next }: Awaited<ReturnType<typeof writeRows>>,
): Pick<RunRow, 'progress' | 'rowCount' | 'byteCount'> {
  const all = [...files, file]
  const progress = { table: next === null ? table + 1 : table, after: next, files: all }
  return { progress, rowCount: sumOf(all, 'rows'), byteCount: sumOf(all, 'bytes') }
}

/** Writes a change of the run, and that it is being worked on. Throws when another process does so. */
async function save(ctx: Context, run: RunRow, change: Partial<RunRow>): Promise<RunRow> {
  const all = { ...change, seenAt: ctx.clock.now() }
  const isOurs = await ctx.write((tx) => updateOwnRun(tx, run, all))
  if (!isOurs) throw new ExportStopped(reasonText('EXPORT_TAKEN'))
  return { ...run, ...all }
}

const SAY_EVERY_MS = 15 * SECOND

/** Says from time to time that the run is being worked on, while work continues that may take minutes. */
async function sayingSo(ctx: Context, run: RunRow, work: Promise<void>): Promise<void> {
  const say = () => save(ctx, run, {}).catch(() => {}) // When the run is lost, the next step notices it.
  const timer = setInterval(say, SAY_EVERY_MS)
  try {
    await work
  } finally {
    clearInterval(timer)
  }
}

/** After each page: whether to stop, how far it is, and from time to time a sign of life. */
function watchPages(ctx: Context, run: RunRow, { isStopping, onSeen, isGentle }: RunParts): OnPage {
  let saidAtMs = monotonicMs()
  let endedAtMs = saidAtMs
  return async (table, seen) => {
    if (isStopping()) throw new ExportStopped(reasonText('PROCESS_STOPPING'))
    onSeen?.(table, seen)
    const now = monotonicMs()
    if (now - saidAtMs >= SAY_EVERY_MS) {
      await save(ctx, run, {})
      saidAtMs = now
    }
    if (isGentle) await Bun.sleep(Math.min(now - endedAtMs, SECOND))
    endedAtMs = monotonicMs()
  }
}
