import type { Examination } from '../../base/cli/doctor'
import { loadCatalogSnapshot } from '../../projects/catalog/service'
import { readRemote } from '../remote-config/load'
import { readPlacementSnapshot } from './load'

/** Whether every stored placement and published funnel can be shown. */
export const placementExamination: Examination = {
  name: 'placements',
  async project({ handle }, { id }) {
    const remote = readRemote(handle, id).then(({ snapshot }) => snapshot)
    const { faults } = await readPlacementSnapshot(handle, id, Promise.all([loadCatalogSnapshot(handle, id), remote]))
    return { broken: faults.map((fault) => ({ ...fault, name: null })) }
  },
}
