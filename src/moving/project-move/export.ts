import type { Context } from '../../base/context'
import { quoteName, rowLines, type TableReader } from '../../base/db/dump'
import { writeDumpFile } from '../../base/db/dump-file'
import { readTags } from '../../base/db/dump-write'
import { toIso } from '../../base/lib/time'
import { VERSION } from '../../base/version'
import type { ProjectRow } from '../../projects/project/service'
import { ContentDigest } from './digest'
import { digestLine, type ProjectFileHeader, projectHeaderLine } from './file'
import { readRanges } from './numbers'
import { conditionOf, isMoved, plansOf, type TablePlan } from './plan'
import { newFileKey, type Reseal, resealing, resealPage } from './secrets'

export interface ExportOptions {
  /** Null: credentials stay encrypted with the master key of this deployment. */
  passphrase: string | null
  signal: AbortSignal
  onRows: (done: number, total: number) => void
}

export interface Exported {
  rows: number
  bytes: number
  digest: string
}

/**
 * Writes a project, its configuration and all its data, into a file: one state of the database, while others write. Only
 * a page of rows is in memory. Throws a `DumpError`.
 */
export async function exportProject(
  ctx: Context,
  project: ProjectRow,
  path: string,
  options: ExportOptions,
): Promise<Exported> {
  const all = plansOf(ctx.tables)
  const plans = all.filter(isMoved)
  const { key, vault } = newFileKey(options.passphrase)
  return ctx.storage.snapshot(async (reader) => {
    const source: Source = { reader, plans, all, project, reseal: vault === null ? null : resealing(ctx.vault, vault) }
    const header = await readHeader(source, { key, now: ctx.clock.now() })
    const digest = new ContentDigest(plans, header.numbers)
    const bytes = await writeDumpFile(path, lines(source, header, digest, options), options.signal)
    return { rows: totalOf(header), bytes, digest: digest.end() }
  })
}

interface Source {
  reader: TableReader
  plans: readonly TablePlan[]
  all: readonly TablePlan[]
  project: ProjectRow
  /** Null: as they are stored. */
  reseal: Reseal | null
}

type Facts = Parameters<typeof projectHeaderLine>[0]

export const totalOf = ({ counts }: Pick<ProjectFileHeader, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

async function readHeader(
  { reader, plans, all, project: { id } }: Source,
  { key, now }: { key: Facts['key']; now: number },
): Promise<Facts> {
  const counts: Record<string, number> = {}
  for (const plan of plans) {
    const query = `select count(*) from ${quoteName(plan.table)} where ${conditionOf(all, plan, id)}`
    counts[plan.table] = Number((await reader.rows(query))[0]?.[0])
  }
  const isIt = `id = '${id.replaceAll("'", "''")}'`
  const [[slug, name, configVersion] = []] = await reader.rows(
    `select slug, name, config_version from projects where ${isIt}`,
  )
  return {
    version: VERSION,
    createdAt: toIso(now),
    migrations: await readTags(reader),
    project: { id, slug: String(slug), name: String(name), configVersion: Number(configVersion) },
    counts,
    numbers: { ...(await readRanges(reader, plans, id)) } as Facts['numbers'],
    key,
    members: await readMembers(reader, id),
  }
}

async function readMembers(reader: TableReader, projectId: string): Promise<Facts['members']> {
  const rows = await reader.rows(
    `select u.email, m.role from memberships m join users u on u.id = m.user_id
     where m.project_id = '${projectId.replaceAll("'", "''")}' order by u.email_key`,
  )
  return rows.map(([email, role]) => ({ email: String(email), role: role as Facts['members'][number]['role'] }))
}

async function* lines(
  { reader, plans, all, project, reseal }: Source,
  header: Facts,
  digest: ContentDigest,
  { onRows }: ExportOptions,
): AsyncGenerator<string> {
  const total = totalOf(header)
  let done = 0
  yield projectHeaderLine(header)
  for (const plan of plans) {
    for await (const page of reader.pages(plan.table, conditionOf(all, plan, project.id))) {
      digest.take(plan.table, page)
      yield rowLines(plan.table, reseal === null ? page : resealPage(plan, page, reseal))
      done += page.rows.length
      onRows(done, total)
    }
  }
  yield digestLine(digest.end())
}
