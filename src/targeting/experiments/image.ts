import { listFunnelSlugs } from '../../funnels/funnels/service'
import type { AuditEntry } from '../../projects/audit/audit'
import type { Edit } from '../../projects/project/edit'
import { listAudienceNames } from '../audiences/service'
import { flagState } from '../flags/project-file/state'
import type { Flag } from '../flags/service'
import { experimentState } from './project-file/state'
import type { Experiment } from './stored-experiments'

// What the audit log keeps of flags and experiments: what a project file that does the same writes, audiences by name.

export async function flagEntry(
  { tx, projectId }: Edit,
  verb: string,
  before: Flag | null,
  after: Flag | null,
): Promise<AuditEntry> {
  const names = { audiences: await listAudienceNames(tx, projectId) }
  const image = (row: Flag | null) => row && { key: row.key, env: row.env, ...flagState(withList(row), names) }
  return entry('flag', verb, before, after, image)
}

/** Rules that somebody broke by hand must not keep the flag from being switched off. */
const withList = (row: Flag): Flag => (Array.isArray(row.rules) ? row : { ...row, rules: [] })

export async function experimentEntry(
  { tx, projectId }: Edit,
  verb: string,
  before: Experiment | null,
  after: Experiment | null,
): Promise<AuditEntry> {
  const names = {
    audiences: await listAudienceNames(tx, projectId),
    funnels: await listFunnelSlugs(tx, projectId),
  }
  const image = (row: Experiment | null) => {
    if (!row) return null
    const { key, placementId, winnerVariantId } = row
    return { key, ...experimentState(row, names), placementId, winnerVariantId }
  }
  return entry('experiment', verb, before, after, image)
}

const entry = <Row extends { id: string }>(
  type: string,
  verb: string,
  before: Row | null,
  after: Row | null,
  image: (row: Row | null) => object | null,
): AuditEntry => ({
  action: `${type}.${verb}`,
  target: { type, id: (after ?? before)?.id ?? '' },
  before: image(before),
  after: image(after),
})
