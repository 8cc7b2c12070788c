import type { Context } from '../../base/context'
import { DumpError, quoteName, type TableReader, type TableWriter } from '../../base/db/dump'
import { readDumpFile } from '../../base/db/dump-file'
import { patiently } from '../../base/db/dump-load'
import { readTags } from '../../base/db/dump-write'
import type { Vault } from '../../base/lib/crypto'
import { ContentDigest } from './digest'
import { totalOf } from './export'
import { checkProjectFile, type ProjectFileHeader } from './file'
import { type AddedMembers, addMembers } from './members'
import { type NumberRanges, rangesBehind } from './numbers'
import { conditionOf, isMoved, plansOf, type TablePlan } from './plan'
import { RowLoader } from './row-loader'
import { openFileKey, resealing } from './secrets'

export interface ImportOptions {
  /** Of a file whose credentials are encrypted with one. */
  passphrase: string | null
  /** Deletes the project of the same id first, which must be suspended or deleted. */
  isReplacing?: boolean
  signal: AbortSignal
  /** Called with the number of bytes read while the file is checked. */
  onBytes?: (bytes: number) => void
  onRows: (done: number, total: number) => void
}

export interface ImportedProject {
  project: { id: string; slug: string; name: string }
  rows: number
  /** Of the rows as this database has them now; equal to that of the file. */
  digest: string
  /** What must be entered again, because its encryption cannot be opened here. */
  lost: string[]
  members: AddedMembers
}

/**
 * Brings a project of another deployment into this one, all rows in one transaction; an interruption leaves nothing.
 * The file is checked as a whole before, and the rows are read again afterwards: their digest must be that of the file.
 * Throws a `DumpError`.
 */
export async function importProjectFile(ctx: Context, path: string, options: ImportOptions): Promise<ImportedProject> {
  const { signal, onBytes } = options
  const checked = await checkProjectFile(path, { signal, onBytes })
  const { header, digest } = checked
  const lost = new Set<string>()
  const reseal = resealing(fileVaultOf(ctx, header, options.passphrase), ctx.vault, (what) => lost.add(what))
  const move: Move = { header, digest, path, options, plans: plansOf(ctx.tables), reseal }
  await patiently(() => ctx.storage.bulk((writer, reader) => fill(move, writer, reader)))
  const members = await addMembers(ctx, header)
  const { id, slug, name } = header.project
  return { project: { id, slug, name }, rows: totalOf(header), digest, lost: [...lost].sort(), members }
}

interface Move {
  header: ProjectFileHeader
  digest: string
  path: string
  options: ImportOptions
  plans: readonly TablePlan[]
  reseal: ReturnType<typeof resealing>
}

/** What opens the credentials in the file; null = nothing does. */
function fileVaultOf({ vault }: Context, { key }: ProjectFileHeader, passphrase: string | null): Vault | null {
  if (key.kind === 'MASTER_KEY') return vault
  if (passphrase === null)
    throw new DumpError('its credentials are encrypted with a passphrase; give it with --passphrase-env NAME')
  const opened = openFileKey(key, passphrase)
  if (opened === null) throw new DumpError('the passphrase is not the one that it was written with')
  return opened
}

async function fill(move: Move, writer: TableWriter, reader: TableReader): Promise<void> {
  const { header, plans, options } = move
  await refuseOther(header, reader)
  await makeRoom(move, writer, reader)
  const moved = plans.filter(isMoved)
  const ranges = rangesBehind(header.numbers, await reader.serials())
  await writer.finish([], lastOf(ranges)) // So that no other process gets these numbers meanwhile.
  const parts = { writer, reader, plans: moved, all: plans, header, ranges, reseal: move.reseal }
  const loader = new RowLoader(parts, options.onRows)
  await readDumpFile(move.path, (block) => loader.take(block), { signal: options.signal })
  await loader.flush()
  refuseOtherCounts(header.counts, loader.counts)
  options.signal.throwIfAborted()
  await raiseVersion(header.project.id, writer, reader)
  await writer.finish(
    moved.map(({ table }) => table),
    {},
  )
  await compare(move, moved, ranges, reader)
}

async function refuseOther({ migrations, version }: ProjectFileHeader, reader: TableReader): Promise<void> {
  const own = await readTags(reader)
  const strange = migrations.find((tag) => !own.includes(tag))
  const missing = own.find((tag) => !migrations.includes(tag))
  if (strange !== undefined)
    throw new DumpError(
      `svc ${version} made it with migration ${strange}, which is not applied here; update this svc first`,
    )
  if (missing !== undefined)
    throw new DumpError(`svc ${version} made it before migration ${missing}; update that svc and export again`)
}

/** Throws where the project or its name is in use, unless it is to be replaced. */
async function makeRoom({ header, plans, options }: Move, writer: TableWriter, reader: TableReader): Promise<void> {
  const { id, slug } = header.project
  const rows = await reader.rows(
    `select id, suspended_at, deleted_at from projects where id = ${textOf(id)} or slug = ${textOf(slug)}`,
  )
  const same = rows.find(([found]) => found === id)
  if (rows.some(([found]) => found !== id))
    throw new DumpError(`another project has the slug ${slug} here; give that one another slug first`)
  if (same === undefined) return
  const [, suspendedAt, deletedAt] = same
  if (!options.isReplacing)
    throw new DumpError(`the project ${slug} (${id}) is here already; --replace puts the file in its place`)
  if (suspendedAt === null && deletedAt === null)
    throw new DumpError(
      `the project ${slug} is in use here; suspend it before it is replaced: svc project suspend ${id}`,
    )
  for (const plan of plans.toReversed().filter(({ rows }) => !rows.isAppendOnly))
    await writer.run(`delete from ${quoteName(plan.table)} where ${conditionOf(plans, plan, id)}`)
}

const textOf = (value: string): string => `'${value.replaceAll("'", "''")}'`

const lastOf = (ranges: NumberRanges): Record<string, number> =>
  Object.fromEntries(Object.entries(ranges).flatMap(([table, range]) => (range === null ? [] : [[table, range[1]]])))

/** Servers that run on this database load the project then. Last, because its row is one for all projects. */
async function raiseVersion(projectId: string, writer: TableWriter, reader: TableReader): Promise<void> {
  await writer.run(
    `insert into revisions (name, value) values ('config', 1) on conflict (name) do update set value = revisions.value + 1`,
  )
  const [[value] = []] = await reader.rows(`select value from revisions where name = 'config'`)
  const version = Number(value)
  const isTheirs = `= ${textOf(projectId)}`
  await writer.run(`update projects set config_version = ${version} where id ${isTheirs}`)
  await writer.run(
    `update figure_projects set config_version = ${version} where project_id ${isTheirs} and config_version = 0`,
  )
}

/** Reads the project as it is in this database now. */
async function compare(
  { header, digest, plans }: Move,
  moved: readonly TablePlan[],
  ranges: NumberRanges,
  reader: TableReader,
): Promise<void> {
  const found = new ContentDigest(moved, ranges)
  for (const plan of moved)
    for await (const page of reader.pages(plan.table, conditionOf(plans, plan, header.project.id)))
      found.take(plan.table, page)
  if (found.end() === digest) return
  const other = differingTables(header.counts, found.counts)
  const where = other.length > 0 ? `the number of rows differs in ${other.join(', ')}` : 'rows differ'
  throw new DumpError(`what was stored is not what it holds (${where}), so nothing was imported`)
}

type Counts = Readonly<Record<string, number>>

const differingTables = (one: Counts, other: Counts): string[] =>
  Object.keys({ ...one, ...other }).filter((table) => (one[table] ?? 0) !== (other[table] ?? 0))

/** The header is what people see of a file. */
function refuseOtherCounts(announced: Counts, held: Counts): void {
  const tables = differingTables(announced, held)
  if (tables.length > 0)
    throw new DumpError(`it does not hold the number of rows that it announces in ${tables.join(', ')}`)
}
