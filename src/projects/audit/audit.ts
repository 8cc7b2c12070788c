import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { findAuditHead, insertAuditRows, listAuditRows } from './audit-queries'
import { type AuditProof, beginVerification, endVerification, verifyRow } from './proof'
import { isAnchor } from './retention'
import { raiseRevisions } from './revisions'
import { FIRST_HASH, hashRow } from './row-hash'

export { type AuditFilter, type AuditRow, pageAuditRows } from './audit-queries'
export type { AuditProof } from './proof'

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

/** Appends to the project's hash chain, in the transaction that makes the change. */
export async function recordAudit(
  tx: Tx,
  projectId: string,
  actor: Actor,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return
  await lockAudit(tx, projectId)
  const at = tx.clock.now()
  await appendEntries(tx, projectId, actor, entries, at)
  await raiseRevisions(tx, projectId, actor, entries, at)
}

/** Waits until no other transaction writes to the project's audit log. Nothing slow may follow in the transaction. */
export const lockAudit = (tx: Tx, projectId: string): Promise<void> => tx.lock(`audit:${projectId}`)

/**
 * Appends entries about what a person was shown. They change nothing, so no object has a new revision by them.
 */
export async function recordShown(
  tx: Tx,
  projectId: string,
  actor: Actor,
  entries: readonly AuditEntry[],
): Promise<void> {
  await lockAudit(tx, projectId)
  await appendEntries(tx, projectId, actor, entries, tx.clock.now())
}

/** Appends entries of the server about the log itself, under its lock. No object has a new revision by them. */
export const recordOwnAudit = (tx: Tx, projectId: string, entries: readonly AuditEntry[]): Promise<void> =>
  appendEntries(tx, projectId, SERVER_ACTOR, entries, tx.clock.now())

async function appendEntries(
  tx: Tx,
  projectId: string,
  actor: Actor,
  entries: readonly AuditEntry[],
  at: number,
): Promise<void> {
  let prevHash = (await findAuditHead(tx, projectId)) ?? FIRST_HASH
  const rows = entries.map((entry) => {
    const row = { id: tx.ids.next('alg'), projectId, at, actor: { ...actor }, ...entry, via: tx.via ?? null, prevHash }
    prevHash = hashRow(row)
    return { ...row, rowHash: prevHash, reducedAt: null }
  })
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
    await insertAuditRows(tx, rows.slice(start, start + ROWS_PER_INSERT))
}

const ROWS_PER_INSERT = 200

const PAGE = 500

/**
 * Verifies the project's hash chain from its first row to its last. Rows before the first may have been deleted for their
 * age; the hash of the last one of them was saved. The content of a reduced row is gone: what stays of it is compared
 * with the digest in the entry that its reduction has appended.
 */
export async function verifyAudit(handle: Handle, projectId: string): Promise<AuditProof> {
  const state = beginVerification()
  for (let after = -1; ; ) {
    const rows = await listAuditRows(handle, projectId, after, PAGE)
    const first = after === -1 ? rows[0] : undefined
    if (first && (await isAnchor(handle, projectId, first.prevHash))) state.head = first.prevHash
    for (const row of rows) verifyRow(state, row)
    after = rows.at(-1)?.position ?? after
    if (rows.length < PAGE) return endVerification(state)
  }
}
