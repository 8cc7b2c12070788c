import type { Tx } from '../../base/context'
import type { PersonResult } from './ask'
import type { FindingKind } from './core/model'
import { withoutErased } from './erased-people'
import type { CompareCounters } from './model'
import {
  deleteOneSided,
  type LaterRow,
  listFoundPeople,
  listMovedPurchases,
  type NewFinding,
  type RunRow,
} from './queries'

interface Written {
  findings: NewFinding[]
  later: LaterRow[]
  counters: CompareCounters
  kinds: RunRow['kinds']
}

/** The rows and the counters after a few more people. Of those who were erased meanwhile there is no finding. */
export async function resultsOf(tx: Tx, run: RunRow, read: readonly PersonResult[]): Promise<Written> {
  const results = await withoutErased(tx, run.projectId, read)
  const now = tx.clock.now()
  const all = results.flatMap((result) => toFindings(run, result, now))
  const counters = { ...run.counters, otherStores: { ...run.counters.otherStores } }
  for (const result of results) count(counters, result)
  const { findings, taken } = await withoutOwners(tx, run, all)
  const kinds = countKinds(run, findings, taken)
  counters.differing = sumDiffering(run, findings, await peopleLeft(tx, run, taken))
  counters.equal = counters.done - counters.differing - counters.faults - counters.undecided
  const later = results.flatMap(({ id, ...result }) =>
    result.kind === 'LATER' ? [{ runId: run.id, subscriberId: id, notBefore: result.notBefore }] : [],
  )
  return { findings, later, counters, kinds }
}

function toFindings(run: RunRow, result: PersonResult, createdAt: number): NewFinding[] {
  const { id: subscriberId, person } = result
  const common = { runId: run.id, projectId: run.projectId, subscriberId, person, createdAt }
  if (result.kind === 'FAULT')
    return [
      {
        ...{ ...common, kind: 'FAULT', identifier: '', ours: '', theirs: '', rule: null, purchaseId: null },
        reason: result.reason,
      },
    ]
  if (result.kind !== 'COMPARED') return []
  return result.findings.map(({ kind, identifier, ours, theirs, purchaseId, rule, reason }) => ({
    ...{ ...common, kind, identifier, ours, theirs, purchaseId, rule, reason },
  }))
}

function count(counters: CompareCounters, result: PersonResult): void {
  if (result.kind === 'LATER') counters.later++
  else counters.done++
  if (result.kind === 'FAULT') counters.faults++
  if (result.kind !== 'COMPARED') return
  const { outcome, isUnknownThere } = result
  if (isUnknownThere) counters.unknownThere++
  if (outcome.tooCloseUntil !== null && outcome.differences.length === 0) counters.undecided++
  counters.temporary += outcome.temporary.length
  for (const store of outcome.otherStores) counters.otherStores[store] = (counters.otherStores[store] ?? 0) + 1
}

type Taken = { kind: NewFinding['kind']; subscriberId: string }

/**
 * A purchase that another person has there is one difference: the person who has it there gets it. That the owner here
 * has it only here is the other half of it.
 */
async function withoutOwners(
  tx: Tx,
  run: RunRow,
  all: readonly NewFinding[],
): Promise<{ findings: NewFinding[]; taken: Taken[] }> {
  const isOwner = ({ kind }: NewFinding) => kind === 'OTHER_OWNER'
  const isOneSided = ({ kind }: NewFinding) => kind === 'ACCESS_ONLY_HERE' || kind === 'PURCHASE_ONLY_HERE'
  const moved = idsOf(all.filter(isOwner))
  const movedBefore = await listMovedPurchases(tx, run.id, idsOf(all.filter(isOneSided)))
  const taken = await deleteOneSided(tx, run.id, moved)
  const isTold = (finding: NewFinding) =>
    isOneSided(finding) && (movedBefore.has(finding.purchaseId) || moved.includes(finding.purchaseId ?? ''))
  return { findings: all.filter((finding) => !isTold(finding)), taken }
}

const idsOf = (findings: readonly NewFinding[]): string[] => findings.flatMap(({ purchaseId }) => purchaseId ?? [])

function countKinds(run: RunRow, findings: readonly NewFinding[], taken: readonly Taken[]): RunRow['kinds'] {
  const kinds: Partial<Record<FindingKind, number>> = { ...run.kinds }
  const add = (kind: NewFinding['kind'], by: number) => {
    if (kind !== 'FAULT') kinds[kind] = (kinds[kind] ?? 0) + by
  }
  for (const { kind } of findings) add(kind, 1)
  for (const { kind } of taken) add(kind, -1)
  return Object.fromEntries(Object.entries(kinds).filter(([, number]) => number > 0))
}

/** How many of the people whose findings were taken back have no other one. */
async function peopleLeft(tx: Tx, run: RunRow, taken: readonly Taken[]): Promise<number> {
  const ids = [...new Set(taken.map(({ subscriberId }) => subscriberId))]
  return ids.length - (await listFoundPeople(tx, run.id, ids)).size
}

const sumDiffering = (run: RunRow, findings: readonly NewFinding[], left: number): number =>
  run.counters.differing +
  new Set(findings.filter(({ kind }) => kind !== 'FAULT').map(({ subscriberId, person }) => subscriberId || person))
    .size -
  left
