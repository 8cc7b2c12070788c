import { existsSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CommandFailure, type Io, UsageError } from '../../../base/cli/command'
import { grouped } from '../../../base/cli/progress'
import { AppError, callersWord } from '../../../base/errors'
import { isProjectFile } from '../../project-move/file'
import { runProjectImport } from '../../project-move/import-command'
import type { MappingChange } from '../admin'
import { PRESETS } from '../rows/presets'
import type { ImportView } from '../views'
import { commonOptions, type ImportCommandAction, withImports } from './action'
import { withFolders } from './export-folder'
import { readMappingFile } from './mapping-file'
import { plainBytes, watchImport } from './progress'
import { hasDifferences, summaryOf } from './summary'
import type { ImportTarget, OnPosition } from './target'

const options = {
  ...commonOptions,
  preset: { type: 'string' },
  mapping: { type: 'string' },
  'dry-run': { type: 'boolean' },
  commit: { type: 'boolean' },
  catalog: { type: 'string' },
  'passphrase-env': { type: 'string' },
  replace: { type: 'boolean' },
} as const

/** The action for each of the files. */
interface Order {
  preset: string | null
  mapping: MappingChange | null
  /** Where the products that the catalogue lacks are written. */
  catalog: string | null
  /** `ASK`: a person decides after the dry run; without a terminal nothing is written. */
  then: 'DRY_RUN' | 'COMMIT' | 'ASK'
}

export const filesAction: ImportCommandAction = {
  usage: `svc import FILE… [--preset NAME] [--mapping M] [--dry-run|--commit] [--catalog svc.yaml]
                              each file in turn: reads it whole, shows what is wrong with it, and writes its rows with
                              --commit (or when you say so); CSV or JSON Lines as it is, as .gz or in a .zip; or the
                              folder of svc export-data, of which it reads subscribers and purchases`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const files = withFolders(positionals, io)
    if (files.length === 0)
      throw new UsageError('import takes files, or list, show, products, resume, cancel, report, undo')
    const isProject = values.replace === true || values['passphrase-env'] !== undefined || (await isOneProject(files))
    if (isProject) return runProjectImport(io, files[0] ?? '', values)
    const { preset = null, catalog = null } = values
    if (catalog !== null) refuseCatalog(catalog, files)
    if (values['dry-run'] && values.commit) throw new UsageError('--dry-run and --commit exclude each other')
    if (preset !== null && !PRESETS.some((name) => name === preset))
      throw new UsageError(`--preset is one of ${PRESETS.join(', ')}, not "${preset}"`)
    const then = values.commit ? 'COMMIT' : values['dry-run'] || !io.isTerminal ? 'DRY_RUN' : 'ASK'
    return withImports(io, values, async (imports) => {
      const mapping = values.mapping === undefined ? null : await readMappingFile(values.mapping)
      const done: ImportView[] = []
      for (const file of files) {
        const view = await importFile(imports, file, { preset, mapping, catalog, then }, io)
        if (!values.json) io.out(summaryOf(view))
        if (view.status === 'FAILED' && !values.json) throw new CommandFailure('HTTP_ERROR', failure(view))
        done.push(view)
      }
      if (values.json) io.out(JSON.stringify({ imports: done }))
      else if (!values.commit && !values['dry-run'] && !io.isTerminal)
        io.err('Nothing was written, because nobody could be asked; add --commit to write the rows.')
      if (done.some(({ status }) => status === 'FAILED')) return 1
      return done.some(hasDifferences) ? 3 : 0
    })
  },
}

const isOneProject = async ([file = '', ...more]: readonly string[]): Promise<boolean> =>
  more.length === 0 && isProjectFile(file)

function refuseCatalog(path: string, files: readonly string[]): void {
  if (files.length > 1) throw new UsageError('--catalog takes one file to import at a time')
  if (existsSync(path)) throw new CommandFailure('CONFLICT', `${path} is there already; choose another name.`)
}

/** Writes the products that the file names and the catalogue does not have as a project file. */
async function writeCatalog(imports: ImportTarget, { id, fileName }: ImportView, path: string, io: Io): Promise<void> {
  const { catalog, products } = await imports.products(id, { dryRun: true })
  if (catalog === null) return io.err(`The catalogue has every product of ${fileName}, so ${path} is not written.`)
  writeFileSync(path, catalog, { flag: 'wx' })
  io.err(`${path} has ${grouped(products.length)} products. Look through it, then: svc apply -f ${path}`)
}

const failure = ({ id, failure: reason }: ImportView): string => `The import ${id} failed: ${reason}.`

async function importFile(imports: ImportTarget, path: string, order: Order, io: Io): Promise<ImportView> {
  const sent = await imports.upload(path)
  if (order.preset !== null && sent.preset !== order.preset) {
    await imports.cancel(sent.id)
    throw new UsageError(`${path} has the columns of ${sent.preset ?? 'no preset'}, not of ${order.preset}`)
  }
  const mapped = order.mapping ? await imports.changeMapping(sent.id, order.mapping) : sent
  const label = { doing: `Trying ${mapped.fileName}`, rows: null, bytes: plainBytes(mapped) }
  const tried = await watched(io, label, (on) => imports.dryRun(mapped.id, on)).catch((error: unknown) => {
    throw unmapped(error, mapped) ?? error
  })
  if (tried.status !== 'DRY_RUN_COMPLETE') return tried
  if (order.catalog !== null) await writeCatalog(imports, tried, order.catalog, io)
  if (!(await isWanted(tried, order, io))) return tried
  const writing = { doing: `Importing ${tried.fileName}`, rows: tried.counters.rows, bytes: null }
  return watched(io, writing, (on) => imports.commit(tried.id, on))
}

/** The missing and the present columns of the file, and how to map them. */
function unmapped(error: unknown, { fileName, headers }: ImportView): CommandFailure | null {
  if (!(error instanceof AppError) || error.refusal !== 'IMPORT_MAPPING_INCOMPLETE') return null
  const { missingFields } = (error.details ?? {}) as { missingFields?: string[] }
  const lacking = (missingFields ?? []).join(', ')
  const has = headers.length === 0 ? 'no columns' : headers.slice(0, 30).map(callersWord).join(', ')
  return new CommandFailure(
    'IMPORT_MAPPING_INCOMPLETE',
    `${fileName} has no column for ${lacking}; it has ${has}. Say which column is what in a file: --mapping mapping.yaml with columns: { ${missingFields?.[0] ?? 'store'}: NAME }`,
    { details: error.details ?? {} },
  )
}

async function isWanted(tried: ImportView, { then }: Order, io: Io): Promise<boolean> {
  if (then !== 'ASK') return then === 'COMMIT'
  io.out(summaryOf(tried))
  const { valid, skipped } = tried.counters
  return io.confirm(`Write the ${grouped(valid - skipped)} rows of ${tried.fileName} that can be read?`)
}

async function watched(
  io: Io,
  label: Parameters<typeof watchImport>[1],
  work: (on: OnPosition) => Promise<ImportView>,
): Promise<ImportView> {
  const progress = watchImport(io, label)
  try {
    return await work(progress.on)
  } finally {
    progress.end()
  }
}
