import type { Marker, Observation, Report } from '../../../stores/observation'

/**
 * What of a chain is to be recorded besides what is known. Rows that an earlier import brought in a newer version are left
 * out, with their refunds. Where a newer version no longer reports a refund that an older one did, the refund was taken
 * back.
 */
export function newerVersions(
  { observations, saidAt }: { observations: readonly Observation[]; saidAt: ReadonlyMap<string, number> },
  known: readonly Observation[],
): readonly Observation[] {
  const knownAt = importedVersions(known)
  if (knownAt.size === 0) return observations
  const isNewer = (transactionId: string): boolean =>
    (saidAt.get(transactionId) ?? 0) >= (knownAt.get(transactionId) ?? 0)
  const newer = observations.filter((one) => isNewer(transactionOf(one)))
  return [...newer, ...reversals(newer, known, knownAt)]
}

function importedVersions(known: readonly Observation[]): Map<string, number> {
  const versions = new Map<string, number>()
  for (const one of known) {
    if (one.kind !== 'REPORT' || !one.imported || !one.transaction) continue
    const { transactionId } = one.transaction
    versions.set(transactionId, Math.max(one.eventAt, versions.get(transactionId) ?? 0))
  }
  return versions
}

const transactionOf = (one: Observation): string =>
  one.kind === 'REPORT' ? (one.transaction?.transactionId ?? '') : one.transactionId

function reversals(
  newer: readonly Observation[],
  known: readonly Observation[],
  knownAt: ReadonlyMap<string, number>,
): Marker[] {
  const stillRefunded = new Set(newer.filter(({ kind }) => kind !== 'REPORT').map(transactionOf))
  const updated = newer.filter(
    (one): one is Report =>
      one.kind === 'REPORT' && one.eventAt > (knownAt.get(transactionOf(one)) ?? Number.MAX_VALUE),
  )
  return updated.flatMap((report) => {
    const transactionId = transactionOf(report)
    const isTakenBack = !stillRefunded.has(transactionId) && isRefundImported(known, transactionId)
    if (!isTakenBack) return []
    const id = `import:reversal:${transactionId}@${report.eventAt}`
    return [{ kind: 'REVERSAL', id, eventAt: report.eventAt, transactionId, amount: null }]
  })
}

/** Whether the newest marker of a transaction is a refund that rows alone reported. */
function isRefundImported(known: readonly Observation[], transactionId: string): boolean {
  const own = known.filter((one): one is Marker => one.kind !== 'REPORT' && one.transactionId === transactionId)
  const isReportedByStore = known.some(
    (one) => one.kind === 'REPORT' && !one.imported && one.transaction?.transactionId === transactionId,
  )
  return !isReportedByStore && own.toSorted((a, b) => a.eventAt - b.eventAt).at(-1)?.kind === 'REFUND'
}
