import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { canonicalJson, sha256Hex } from '../../base/lib/hash'
import { toIso } from '../../base/lib/time'
import { type AuditRow, findAuditHead, insertAuditRows, listAuditRows } from './audit-queries'
import { isAnchor } from './retention'
import { raiseRevisions } from './revisions'

export { type AuditFilter, type AuditRow, pageAuditRows } from './audit-queries'

/**
 * Who made a change: a user, the command line (`CLI`), an earlier schedule that came due (`SCHEDULE`), or the server by a
 * rule of its own (`SERVER`).
 */
export interface Actor {
  kind: 'CLI' | 'USER' | 'SCHEDULE' | 'SERVER'
  id: string | null
  email: string | null
}

export const CLI_ACTOR: Actor = { kind: 'CLI', id: null, email: null }
export const SCHEDULE_ACTOR: Actor = { kind: 'SCHEDULE', id: null, email: null }
export const SERVER_ACTOR: Actor = { kind: 'SERVER', id: null, email: null }

/** One change of one object. `before` and `after` are plain JSON and never contain a secret. */
export interface AuditEntry {
  action: string
  target: { type: string; id: string }
  before: unknown
  after: unknown
}

/** `prevHash` of a project's first row. */
export const FIRST_HASH = '0'.repeat(64)

/** Appends to the project's hash chain, in the transaction that makes the change. */
export async function recordAudit(
  tx: Tx,
  projectId: string,
  actor: Actor,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return
  await tx.lock(`audit:${projectId}`)
  const at = tx.clock.now()
  let prevHash = (await findAuditHead(tx, projectId)) ?? FIRST_HASH
  const rows = entries.map((entry) => {
    const row = { id: tx.ids.next('alg'), projectId, at, actor: { ...actor }, ...entry, prevHash }
    prevHash = hashRow(row)
    return { ...row, rowHash: prevHash, reducedAt: null }
  })
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
    await insertAuditRows(tx, rows.slice(start, start + ROWS_PER_INSERT))
  await raiseRevisions(tx, projectId, actor, entries, at)
}

const ROWS_PER_INSERT = 200

/**
 * SHA-256 in hex of `prevHash` + the canonical JSON of the row as it is sent on the wire, without its two hashes. So
 * anybody who has the rows can verify the chain.
 */
export const hashRow = ({ id, at, actor, action, target, before, after, prevHash }: Hashed): string =>
  sha256Hex(prevHash + canonicalJson({ id, at: toIso(at), actor, action, target, before, after }))

type Hashed = Omit<AuditRow, 'position' | 'projectId' | 'rowHash' | 'reducedAt'>

export interface AuditProof {
  /** Hash of the newest row. Somebody who saved an earlier value can check that no rows were removed at the end. */
  head: string
  count: number
  ok: boolean
  /** The first row that does not match the hash of the row before it, or its own hash. */
  firstBadId: string | null
}

const PAGE = 500

/**
 * Verifies the project's hash chain from its first row to its last. Rows before the first may have been deleted for their
 * age; the hash of the last one of them was saved.
 */
export async function verifyAudit(handle: Handle, projectId: string): Promise<AuditProof> {
  const proof: AuditProof = { head: FIRST_HASH, count: 0, ok: true, firstBadId: null }
  for (let after = -1; ; ) {
    const rows = await listAuditRows(handle, projectId, after, PAGE)
    const first = after === -1 ? rows[0] : undefined
    if (first && (await isAnchor(handle, projectId, first.prevHash))) proof.head = first.prevHash
    for (const row of rows) extend(proof, row)
    after = rows.at(-1)?.position ?? after
    if (rows.length < PAGE) return { ...proof, ok: proof.firstBadId === null }
  }
}

function extend(proof: AuditProof, row: AuditRow): void {
  // The content of a reduced row is gone, so only its place in the chain can be verified.
  const fits = row.prevHash === proof.head && (row.reducedAt !== null || row.rowHash === hashRow(row))
  if (!fits) proof.firstBadId ??= row.id
  proof.head = row.rowHash
  proof.count++
}
