import type { AuditEntry } from '../../projects/audit/audit'

/**
 * The audit entry for one object that was created, changed or deleted. `image` returns what the audit log stores of it.
 */
export const changeEntry = <Row extends { id: string }>(
  type: string,
  verb: string,
  before: Row | null,
  after: Row | null,
  image: (row: Row) => object,
): AuditEntry => ({
  action: `${type}.${verb}`,
  target: { type, id: (after ?? before)?.id ?? '' },
  before: before && image(before),
  after: after && image(after),
})
