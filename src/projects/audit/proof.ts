import type { AuditRow } from './audit-queries'
import { digestsOf } from './reduction'
import { FIRST_HASH, hashRest, hashRow } from './row-hash'

export interface AuditProof {
  /** Hash of the newest row. With an earlier value one can check that no rows were removed at the end. */
  head: string
  count: number
  ok: boolean
  /**
   * The first row that does not match the hash of the row before it, or its own hash; of a reduced row, the digest in
   * the entry of its reduction.
   */
  firstBadId: string | null
}

type Place = Pick<AuditRow, 'id' | 'position'>

/** The state of a verification after some rows of a chain. */
export interface Verification {
  head: string
  count: number
  firstBad: Place | null
  /** Reduced rows whose entry has not come yet, by id, with the digest of what stays of them. */
  unproven: Map<string, Place & { rest: string }>
}

export const beginVerification = (): Verification => ({
  ...{ head: FIRST_HASH, count: 0, firstBad: null, unproven: new Map() },
})

/** Takes the next row of the chain. */
export function verifyRow(state: Verification, row: AuditRow): void {
  const isReduced = row.reducedAt !== null
  const fits = row.prevHash === state.head && (isReduced ? isEmptied(row) : row.rowHash === hashRow(row))
  if (!fits) noteBad(state, row)
  else if (isReduced) state.unproven.set(row.id, { id: row.id, position: row.position, rest: hashRest(row) })
  else compareDigests(state, row)
  state.head = row.rowHash
  state.count++
}

const isEmptied = ({ before, after }: AuditRow): boolean => (before ?? null) === null && (after ?? null) === null

/** The first entry about a row decides: a later one would be about a row that was changed after its reduction. */
function compareDigests(state: Verification, entry: AuditRow): void {
  for (const { id, rest } of digestsOf(entry)) {
    const reduced = state.unproven.get(id)
    state.unproven.delete(id)
    if (reduced && reduced.rest !== rest) noteBad(state, reduced)
  }
}

function noteBad(state: Verification, { id, position }: Place): void {
  if (state.firstBad === null || position < state.firstBad.position) state.firstBad = { id, position }
}

/** The result after the last row. A reduced row that no entry is about is bad. */
export function endVerification(state: Verification): AuditProof {
  for (const row of state.unproven.values()) noteBad(state, row)
  const { head, count, firstBad } = state
  return { head, count, ok: firstBad === null, firstBadId: firstBad?.id ?? null }
}
