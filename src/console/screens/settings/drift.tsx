import { useRead } from '../../api/queries'
import { LinkButton } from '../../kit/button'
import { type FileKind, SECTIONS } from '../../lib/project-file'
import { useProject } from '../../lib/session'
import type { AuditRow } from '../../parts/audit-row'
import { useText } from '../../text/catalogue'

export interface Drift {
  /** When the file was last applied by a command. */
  appliedAt: string
  /** Changes since then that no command made, the newest first. */
  rows: AuditRow[]
}

const isOfFile = ({ target, action }: AuditRow): boolean =>
  (target.type as FileKind) in SECTIONS || (action.split('.')[0] as FileKind) in SECTIONS

const LIMIT = 100

/**
 * What people changed since the project file was last applied by the command line. Null when it never was, so that the
 * project is not kept in a file, or when the role may not read the audit log.
 */
export function useDrift(): Drift | null {
  const { path, hasRole } = useProject()
  const isReader = hasRole('ADMIN')
  const commands = useRead(
    '/dashboard/projects/{projectId}/audit-log',
    { params: { path, query: { actor: 'CLI', limit: LIMIT } } },
    { enabled: isReader },
  )
  const appliedAt = commands.data?.items.find(isOfFile)?.at
  const people = useRead(
    '/dashboard/projects/{projectId}/audit-log',
    { params: { path, query: { actor: 'USER', from: appliedAt ?? '', limit: LIMIT } } },
    { enabled: appliedAt !== undefined },
  )
  if (appliedAt === undefined || !people.data) return null
  return { appliedAt, rows: people.data.items.filter(isOfFile) }
}

/** A quiet line: the project is no longer what its file says. */
export function DriftNotice() {
  const t = useText('settings')
  const { base } = useProject()
  const drift = useDrift()
  if (!drift || drift.rows.length === 0) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-warn-soft px-4 py-2 text-sm"
    >
      <span className="min-w-0">{t.drifted(drift.rows.length)}</span>
      <LinkButton href={`${base}/settings/project-file?view=drift`}>{t.showDrift}</LinkButton>
    </div>
  )
}
