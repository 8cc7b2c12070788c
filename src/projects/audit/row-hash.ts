import { canonicalJson, sha256Hex } from '../../base/lib/hash'
import { toIso } from '../../base/lib/time'
import type { AuditRow } from './audit-queries'

/** `prevHash` of a project's first row. */
export const FIRST_HASH = '0'.repeat(64)

/**
 * SHA-256 in hex of `prevHash` + the canonical JSON of the row as it is sent on the wire, without its two hashes. So
 * anybody who has the rows can verify the chain.
 */
export const hashRow = ({ id, at, actor, action, target, before, after, via, prevHash }: Hashed): string =>
  sha256Hex(prevHash + canonicalJson({ id, at: toIso(at), actor, action, target, before, after, ...viaOf(via) }))

/** A row that no proposal led to has no such member, as all rows had before there were proposals. */
export const viaOf = (via: AuditRow['via']): { via?: NonNullable<AuditRow['via']> } => (via ? { via } : {})

type Hashed = Omit<AuditRow, 'position' | 'projectId' | 'rowHash' | 'reducedAt'>

/** SHA-256 in hex of the canonical JSON of what stays of a reduced row, as it is sent on the wire. */
export const hashRest = ({ id, at, actor, action, target, via }: Rest): string =>
  sha256Hex(canonicalJson({ id, at: toIso(at), actor, action, target, ...viaOf(via) }))

export type Rest = Pick<AuditRow, 'id' | 'at' | 'actor' | 'action' | 'target' | 'via'>
