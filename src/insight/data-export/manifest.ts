import { toIso, toIsoOrNull } from '../../base/lib/time'
import { VERSION } from '../../base/version'
import type { ExportFile } from './model'
import type { RunRow } from './queries'
import { readerOf } from './readers/readers'

/** The last file of an export: a folder without it is not complete. */
export const MANIFEST = 'manifest.json'

const FORMAT_VERSION = 1

/** What an export consists of, so that a reader can check that everything has arrived. */
export const manifestOf = (run: RunRow, slug: string, now: number) => ({
  format_version: FORMAT_VERSION,
  svc_version: VERSION,
  id: run.id,
  project: { id: run.projectId, slug },
  created_at: toIso(now),
  window: { from: toIsoOrNull(run.windowFrom), to: toIso(run.windowTo) },
  format: run.format,
  column_set: run.columnSet,
  tables: run.content.map((table) => {
    const own = run.progress.files.filter((file) => file.table === table)
    return { table, rows: sumOf(own, 'rows'), columns: readerOf(run.columnSet, table).columns }
  }),
  files: run.progress.files,
})

export const sumOf = (files: readonly ExportFile[], member: 'rows' | 'bytes'): number =>
  files.reduce((sum, file) => sum + file[member], 0)

/** The folder of a run, below the target: folders sort by time. */
export const runFolder = ({ id, windowTo }: Pick<RunRow, 'id' | 'windowTo'>): string =>
  `${toIso(windowTo).replace(/[-:]|\.\d+/g, '')}-${id.slice(-8)}`
