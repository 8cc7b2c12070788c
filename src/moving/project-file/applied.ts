import { eq } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { toIso } from '../../base/lib/time'
import { type Actor, type AuditEntry, CLI_ACTOR, recordAudit } from '../../projects/audit/audit'
import { isSame } from '../../projects/project/edit'
import { loadCurrent } from '../../projects/project-file/load'
import type { ParsedFile } from '../../projects/project-file/parse'
import type { Current } from '../../projects/project-file/section'
import { toFileContent } from '../../projects/project-file/write-yaml'
import { keptOf } from './kept'

export type AppliedRow = Handle['tables']['appliedFiles']['$inferSelect']

/** What the file of a project said when it was applied last. Null = no command ever applied one. */
export async function findApplied({ db, tables }: Handle, projectId: string): Promise<AppliedRow | null> {
  const { appliedFiles: f } = tables
  const [row] = await db.select().from(f).where(eq(f.projectId, projectId))
  return row ?? null
}

/** As `findApplied`, without what the file said. */
export async function findAppliedBy({ db, tables }: Handle, projectId: string) {
  const { appliedFiles: f } = tables
  const columns = { appliedAt: f.appliedAt, appliedBy: f.appliedBy }
  const [row] = await db.select(columns).from(f).where(eq(f.projectId, projectId))
  return row ?? null
}

export async function deleteApplied({ db, tables }: Handle, projectId: string): Promise<void> {
  await db.delete(tables.appliedFiles).where(eq(tables.appliedFiles.projectId, projectId))
}

interface Keeping {
  prune: boolean
  actor?: Actor
}

/** The entry of the audit log for a change of what the file of a project said. */
export const fileEntry = (action: 'apply' | 'forget', before: Applied | null, after: Applied | null): AuditEntry => ({
  action: `projectFile.${action}`,
  target: { type: 'projectFile', id: 'project-file' },
  before: before && toAudited(before),
  after: after && toAudited(after),
})

type Applied = Omit<AppliedRow, 'projectId'>

const toAudited = ({ appliedAt, appliedBy, sections }: Applied) => ({
  appliedAt: toIso(appliedAt),
  appliedBy: appliedBy.email,
  sections: Object.keys(sections).sort(),
})

/**
 * Remembers what the file says of the project to which it was just applied, so that later changes elsewhere are seen.
 * Sections that only an earlier file had stay. A file that has no section, or says the same, writes nothing.
 */
export const keepApplied =
  (projectId: string, parsed: ParsedFile, { prune, actor = CLI_ACTOR }: Keeping) =>
  async (tx: Tx, unchanged: Current | null): Promise<void> => {
    if (parsed.wanted.size === 0) return
    const content = toFileContent(unchanged ?? (await loadCurrent(tx, projectId, parsed.sections)))
    const before = await findApplied(tx, projectId)
    const sections = { ...before?.sections, ...keptOf(parsed, content, prune) }
    if (before && isSame(before.sections, sections)) return
    const row = { appliedAt: tx.clock.now(), appliedBy: { ...actor }, sections }
    const insert = tx.db.insert(tx.tables.appliedFiles).values({ projectId, ...row })
    await insert.onConflictDoUpdate({ target: tx.tables.appliedFiles.projectId, set: row })
    await recordAudit(tx, projectId, actor, [fileEntry('apply', before, row)])
    tx.afterCommit(() => tx.state.drifts.forget(projectId))
  }
