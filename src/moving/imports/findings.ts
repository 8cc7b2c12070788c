import { addUnknown } from './known-products'
import type { ImportCounters, ImportFindings, UnknownProduct } from './model'
import type { RowBatch } from './rows/open-rows'

/** The first faults of a job are kept with it; the report has them all. */
const MAX_ERRORS = 1000

/** The counters with a batch that was read. */
export const countRead = (counters: ImportCounters, { records, faults, skipped }: RowBatch): ImportCounters => ({
  ...counters,
  rows: counters.rows + records,
  valid: counters.valid + records - faults.length,
  invalid: counters.invalid + faults.length,
  skipped: counters.skipped + skipped,
})

export function noteFindings(
  findings: ImportFindings,
  { faults }: Pick<RowBatch, 'faults'>,
  unknown: readonly UnknownProduct[],
): ImportFindings {
  const room = MAX_ERRORS - findings.errors.length
  if (unknown.length === 0 && (faults.length === 0 || room <= 0)) return findings
  return {
    ...findings,
    errors: room > 0 ? [...findings.errors, ...faults.slice(0, room)] : findings.errors,
    unknownProducts: addUnknown(findings.unknownProducts, unknown),
  }
}
