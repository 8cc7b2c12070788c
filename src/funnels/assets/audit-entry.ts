import type { AuditEntry } from '../../projects/audit/audit'
import type { AssetRow } from './queries'

export const assetEntry = (
  verb: 'create' | 'update' | 'delete',
  before: AssetRow | null,
  after: AssetRow | null,
): AuditEntry => ({
  action: `asset.${verb}`,
  target: { type: 'asset', id: (after ?? before)?.id ?? '' },
  before: before && imageOf(before),
  after: after && imageOf(after),
})

const imageOf = ({ name, kind, hash, bytes, alt }: AssetRow) => ({ name, kind, hash, bytes, alt })
