import { basename } from 'node:path'
import { CommandFailure } from '../../../base/cli/command'
import { found } from '../../../base/cli/found'
import type { Context } from '../../../base/context'
import type { Paged } from '../../../base/db/page'
import { notFound } from '../../../base/errors'
import { CLI_ACTOR } from '../../../projects/audit/audit'
import { requireProject } from '../../../projects/project/lookup'
import { cancelImport, changeMapping, type MappingChange, resumeImport, startCommit, startDryRun } from '../admin'
import { toRefusal } from '../files/upload'
import { isRunning } from '../machine'
import type { ImportCheckpoint } from '../model'
import type { ImportJobRow } from '../queries'
import { createImport } from '../receive'
import { readReport } from '../report'
import { getImportView, type ImportView, listImportViews, requireJob } from '../views'
import { performImport } from '../work/perform'

/** How far an import is. */
export interface Position {
  counters: ImportView['counters']
  /** Where in the first file, as far as that is known. */
  checkpoint: ImportCheckpoint | null
}

export type OnPosition = (position: Position) => void

/** The imports of a project: in the database of this machine, or on a server. */
export interface ImportTarget {
  upload(path: string): Promise<ImportView>
  changeMapping(id: string, change: MappingChange): Promise<ImportView>
  /** These three return when the work has ended. */
  dryRun(id: string, onPosition: OnPosition): Promise<ImportView>
  commit(id: string, onPosition: OnPosition): Promise<ImportView>
  resume(id: string, onPosition: OnPosition): Promise<ImportView>
  cancel(id: string): Promise<ImportView>
  list(limit: number): Promise<Paged<ImportView>>
  show(id: string): Promise<ImportView>
  report(id: string): Promise<string>
  undo(id: string): Promise<object>
}

/** A file of this machine. */
export async function openFile(path: string) {
  const file = Bun.file(path)
  if (!(await file.exists())) throw new CommandFailure('NOT_FOUND', `There is no file ${path}.`)
  return { file, fileName: basename(path).slice(-255) }
}

const POLL_MS = 500

/** Looks at an import until nobody works on it any more. */
export async function untilEnded(
  show: () => Promise<ImportView>,
  onPosition: OnPosition,
  signal: AbortSignal,
): Promise<ImportView> {
  for (;;) {
    const view = await show()
    if (!isRunning(view.status)) return view
    onPosition({ counters: view.counters, checkpoint: null })
    if (signal.aborted) throw new CommandFailure('HTTP_ERROR', goesOn(view.id))
    await Bun.sleep(POLL_MS)
  }
}

const goesOn = (id: string): string =>
  `The import goes on without this command; see: svc import show ${id}. To end it: svc import cancel ${id}.`

const interrupted = (id: string): string =>
  `The import was interrupted and nothing is lost. To go on: svc import resume ${id}. To end it: svc import cancel ${id}.`

export async function localImports(ctx: Context, ref: string | undefined, signal: AbortSignal): Promise<ImportTarget> {
  const { id: projectId } = await requireProject(ctx, ref)
  const by = { projectId, actor: CLI_ACTOR }
  const show = (id: string) => found(`import ${id}`, getImportView(ctx, projectId, id))
  const work = async (id: string, onPosition: OnPosition): Promise<ImportView> => {
    const turn = { isStopping: () => signal.aborted, onProgress: (job: ImportJobRow) => onPosition(job) }
    const performed = await performImport(ctx, { projectId, jobId: id }, turn)
    if (performed === 'STOPPED' && signal.aborted) throw new CommandFailure('HTTP_ERROR', interrupted(id))
    return performed === 'DONE' ? show(id) : untilEnded(() => show(id), onPosition, signal)
  }
  return {
    async upload(path) {
      const { file, fileName } = await openFile(path)
      return createImport(ctx, by, { fileName, bytes: file.size, body: file.stream() })
    },
    changeMapping: (id, change) => found(`import ${id}`, changeMapping(ctx, by, id, change)),
    async dryRun(id, onPosition) {
      await startDryRun(ctx, by, id, 'CALLER')
      return work(id, onPosition)
    },
    async commit(id, onPosition) {
      await startCommit(ctx, by, id, 'CALLER')
      return work(id, onPosition)
    },
    async resume(id, onPosition) {
      if (!isRunning((await show(id)).status)) await resumeImport(ctx, by, id, 'CALLER')
      return work(id, onPosition)
    },
    cancel: (id) => found(`import ${id}`, cancelImport(ctx, by, id)),
    list: (limit) => listImportViews(ctx, projectId, { limit }),
    show,
    async report(id) {
      const job = await found(`import ${id}`, requireJob(ctx, projectId, id))
      try {
        return await new Response(await readReport(ctx.state.blobs, job)).text()
      } catch (error) {
        throw toRefusal(error)
      }
    },
    async undo(id) {
      const job = await found(`import ${id}`, requireJob(ctx, projectId, id))
      const project = await ctx.state.projects.find(projectId)
      if (!project) throw notFound()
      return ctx.state.importSteps.undoImport(ctx, project, job)
    },
  }
}
