import type { AuditEntry } from '../../projects/audit/audit'
import type { Edit } from '../../projects/project/edit'
import { changeEntry } from '../audiences/audit-entry'
import { listAudienceNames } from '../audiences/service'
import { flagState } from './file-state'
import type { Flag } from './service'

/** The audit entry of a flag: it stores what a project file writes of it, with audiences by name. */
export async function flagEntry(
  { tx, projectId }: Edit,
  verb: string,
  before: Flag | null,
  after: Flag | null,
): Promise<AuditEntry> {
  const names = { audiences: await listAudienceNames(tx, projectId) }
  return changeEntry('flag', verb, before, after, (row) => ({
    key: row.key,
    env: row.env,
    ...flagState(withList(row), names),
  }))
}

/** Rules that somebody broke by hand must not keep the flag from being switched off. */
const withList = (row: Flag): Flag => (Array.isArray(row.rules) ? row : { ...row, rules: [] })
