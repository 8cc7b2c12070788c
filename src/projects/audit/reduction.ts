import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { AuditRow } from './audit-queries'
import { hashRest, type Rest } from './row-hash'

const REDUCE = 'audit.reduce'

const Digest = Type.Object({ id: Type.String(), rest: Type.String() })
const Reduction = Type.Object({ rows: Type.Array(Digest) })

/** The id of a reduced row, and the digest of what stays of it. */
export type RestDigest = Static<typeof Digest>

const ROWS_PER_ENTRY = 200

/**
 * The entries that prove reduced rows: each has the digests of at most 200 of them. `isFormer`: an earlier version
 * reduced the rows and wrote no entry.
 */
export function toReductions(projectId: string, reduced: readonly Rest[], isFormer = false) {
  const entries = []
  for (let from = 0; from < reduced.length; from += ROWS_PER_ENTRY) {
    const rows = reduced.slice(from, from + ROWS_PER_ENTRY).map((row) => ({ id: row.id, rest: hashRest(row) }))
    const after = isFormer ? { rows, former: true } : { rows }
    entries.push({ action: REDUCE, target: { type: 'auditLog', id: projectId }, before: null, after })
  }
  return entries
}

/** The digests in an entry about reduced rows; none in every other row. Only the server writes such entries. */
export function digestsOf({ action, actor, after }: AuditRow): readonly RestDigest[] {
  if (action !== REDUCE || actor.kind !== 'SERVER') return []
  return Value.Check(Reduction, after) ? after.rows : []
}
