import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { revisionAfter } from '../../projects/audit/revisions'
import { editDashboard, type ProjectActor } from '../../projects/project/edit'
import { AGAIN, refuseOtherKind, requireFor, save, viewOf } from './admin'
import { importEntry } from './audit-entry'
import type { InspectedFiles } from './files/inspect'
import { refuseDeclared } from './files/upload'
import { DEFAULT_OPTIONS } from './machine'
import type { ImportFile } from './model'
import { type ImportJobRow, insertJob } from './queries'
import { proposeMapping, recognisePreset } from './rows/presets'
import { type Upload, withFile } from './stage-file'
import { type ImportView, requireJob, toImportView } from './views'

/**
 * Stores a file and makes an import job of it, with the preset and the mapping that its header suggests. 413
 * `IMPORT_FILE_TOO_LARGE`, 400 `VALIDATION_ERROR` for a file that holds no CSV, 503 `IMPORT_STORAGE_UNAVAILABLE`.
 */
export async function createImport(ctx: Context, by: ProjectActor, upload: Upload): Promise<ImportView> {
  refuseDeclared(upload.bytes)
  const id = ctx.ids.next('imp')
  return withFile(ctx, `imports/${id}/0`, upload, (inspected) => insert(ctx, by, id, upload.fileName, inspected))
}

/** Adds a file to an import of Android tokens, which must be tried again then. */
export async function addPart(ctx: Context, by: ProjectActor, id: string, upload: Upload): Promise<ImportView> {
  refuseDeclared(upload.bytes)
  const known = await requireJob(ctx, by.projectId, id)
  refuseOtherKind(known)
  await editDashboard(ctx, by, (edit) => requireFor(edit, 'addPart', id, by.expected))
  return withFile(ctx, `imports/${id}/${ctx.ids.next('imp')}`, upload, ({ files, header }) =>
    editDashboard(ctx, by, async (edit) => {
      const job = await requireFor(edit, 'addPart', id, by.expected)
      refuseParts(job, files, header.headers)
      const change = { ...AGAIN, files: [...job.files, ...files], status: 'PENDING_MAPPING' as const }
      return viewOf(edit, await save(edit, job, 'addPart', change))
    }),
  )
}

const MAX_FILES = 1000

function refuseParts(job: ImportJobRow, files: readonly ImportFile[], headers: readonly string[]): void {
  if (job.files.length + files.length > MAX_FILES) throw invalid(`An import has at most ${MAX_FILES} files`)
  const missing = job.headers.find((header) => !headers.includes(header))
  if (missing !== undefined)
    throw invalid(`The file has no column "${missing}", which the other files of the import have`)
}

async function insert(
  ctx: Context,
  by: ProjectActor,
  id: string,
  fileName: string,
  { files, header }: InspectedFiles,
): Promise<ImportView> {
  const preset = recognisePreset(header.headers)
  return editDashboard(ctx, by, async (edit) => {
    const { projectId, now } = edit
    const job: ImportJobRow = {
      ...{ id, projectId, kind: preset?.kind ?? 'HISTORY', status: 'PENDING_MAPPING', preset: preset?.name ?? null },
      ...{ fileName, files, headers: header.headers, mapping: preset && proposeMapping(preset, header.headers) },
      ...{ options: DEFAULT_OPTIONS, ...AGAIN, startedBy: by.actor.id ?? by.actor.kind, seenAt: now },
      ...{ committedAt: null, filesDeletedAt: null, undoneAt: null, createdAt: now, updatedAt: now },
    }
    await insertJob(edit.tx, job)
    edit.entries.push(importEntry('create', null, job))
    return toImportView(job, await revisionAfter(edit, id))
  })
}
