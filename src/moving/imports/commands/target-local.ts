import { CommandFailure, found } from '../../../base/cli/command'
import type { Context } from '../../../base/context'
import { CLI_ACTOR } from '../../../projects/audit/audit'
import { cancelImport, changeMapping, resumeImport, startCommit, startDryRun, startUndo } from '../admin'
import { isRunning } from '../machine'
import { createImportProducts } from '../products/create'
import { createImport } from '../receive'
import { reportText } from '../report'
import { getImportView, type ImportView, listImportViews, requireJob } from '../views'
import { performImport } from '../work/perform'
import type { ImportTarget, OnPosition } from './target'
import { openFile, untilEnded } from './wait'

const interrupted = (id: string): string =>
  `The import was interrupted and nothing is lost. To go on: svc import resume ${id}. To end it: svc import cancel ${id}.`

export function localImports(ctx: Context, projectId: string, signal: AbortSignal): ImportTarget {
  const by = { projectId, actor: CLI_ACTOR }
  const show = (id: string) => found(`import ${id}`, getImportView(ctx, projectId, id))
  const work = async (id: string, onPosition: OnPosition): Promise<ImportView> => {
    const turn = { isStopping: () => signal.aborted, onProgress: onPosition }
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
    products: (id, order) => found(`import ${id}`, createImportProducts(ctx, by, id, order)),
    async report(id) {
      const job = await found(`import ${id}`, requireJob(ctx, projectId, id))
      return reportText(ctx.state.blobs, job)
    },
    async undo(id, onPosition) {
      if ((await show(id)).status !== 'UNDOING') await startUndo(ctx, by, id, 'CALLER')
      return work(id, onPosition)
    },
  }
}
