import { addUnknown } from './known-products'
import type { ImportCounters, ImportFindings, UnknownProduct } from './model'
import type { RowFault } from './row'
import type { RowBatch } from './rows/open-rows'

/** The first faults of a job are kept with it; the report has them all. */
const MAX_ERRORS = 1000
/** Warnings leave room for what cannot be read. */
const MAX_WARNINGS = 500

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
  if (unknown.length === 0 && faults.length === 0) return findings
  return {
    ...findings,
    errors: withFaults(findings.errors, faults),
    unknownProducts: addUnknown(findings.unknownProducts, unknown),
  }
}

function withFaults(before: readonly RowFault[], faults: readonly RowFault[]): RowFault[] {
  const errors = [...before]
  let warnings = errors.filter(isWarning).length
  for (const fault of faults) {
    if (errors.length >= MAX_ERRORS) return errors
    if (isWarning(fault) && ++warnings > MAX_WARNINGS) continue
    errors.push(fault)
  }
  return errors
}

const isWarning = ({ severity }: RowFault): boolean => severity === 'WARNING'
