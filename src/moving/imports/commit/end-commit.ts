import type { Tx } from '../../../base/context'
import { causeOf } from '../../../people/events/model'
import { recordProjectEvent } from '../../../people/events/service'
import type { ProjectState } from '../../../projects/project/state'
import type { ImportJobRow } from './job-row'

/** The one event of an import (wire 5.16), in the transaction that ends its first phase. */
export const endCommit = (tx: Tx, { id }: ProjectState, { id: jobId, counters }: ImportJobRow): Promise<void> =>
  recordProjectEvent(tx, id, causeOf('IMPORT', jobId), {
    type: 'import.committed',
    data: { jobId, rows: counters.rows },
  })
