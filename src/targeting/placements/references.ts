import type { Tx } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { faultsText } from '../../base/lib/faults'
import { listFunnels } from '../../funnels/publication/service'
import { loadCatalogRows } from '../../projects/catalog/service'
import { listAudiences } from '../audiences/service'
import { listExperiments } from '../experiments/stored-experiments'
import { missingOfferings, missingRowRefs } from './check'
import type { PlacementRow } from './model'

/** 400 `INVALID_ROW_REF` for rows that name what the project does not have; of an offering 400 `VALIDATION_ERROR`. */
export async function refuseMissing(tx: Tx, projectId: string, rows: readonly PlacementRow[]): Promise<void> {
  const audiences = new Set((await listAudiences(tx, projectId)).map(({ id }) => id))
  const funnels = new Set((await listFunnels(tx, projectId)).map(({ id }) => id))
  const types = new Map((await listExperiments(tx, projectId)).map(({ id, type }) => [id, type]))
  const missing = missingRowRefs(rows, {
    hasAudience: (id) => audiences.has(id),
    hasFunnel: (id) => funnels.has(id),
    typeOfExperiment: (id) => types.get(id) ?? null,
  })
  if (missing) throw new AppError('INVALID_ROW_REF', missing)
  await refuseMissingOfferings(tx, projectId, rows)
}

/** The catalogue is read only for rows that name an offering. */
async function refuseMissingOfferings(tx: Tx, projectId: string, rows: readonly PlacementRow[]): Promise<void> {
  if (!rows.some(({ target }) => target.type === 'offering')) return
  const { offerings } = await loadCatalogRows(tx, projectId)
  const faults = missingOfferings(rows, new Set(offerings.map(({ id }) => id)))
  if (faults.length > 0) throw invalid(faultsText(faults.map(({ message }) => message)))
}
