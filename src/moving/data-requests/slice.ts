import { MINUTE } from '../../base/lib/clock'
import { slice } from '../../base/slice'
import { dataRequestCommand } from './command'
import { dataRequestExamination } from './doctor'
import { exportRequests, keptExports } from './hooks'
import { dataRequestJob, pickUpLost, type RequestTurn, removeSpent } from './jobs'
import { LINK_MS } from './model'
import { openRequest } from './open'
import { dataRequestOperatorRoutes } from './operator-routes'
import { eraseRequests, listAuditedRequests, removeExports } from './personal-data'
import { dataRequestRoutes } from './routes'
import { dataRequestTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    dsr: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    dataRequestTurn: RequestTurn
  }
}

/** Requests of people for the data that is kept about them: to see it, or to have it erased. */
export const dataRequests = slice({
  name: 'data-requests',
  leftBehind: keptExports,
  tags: [
    {
      name: 'Data subject requests',
      description: 'What people may ask of who stores data about them: to see it, to erase it.',
    },
  ],
  tables: dataRequestTables,
  cachedRows: { dataRequests: 'NOBODY' },
  onErase: eraseRequests,
  listAudited: listAuditedRequests,
  afterErase: removeExports,
  personalData: { dataRequests: 'REDUCED' },
  exportedRows: { dataRequests: 'requests.jsonl' },
  state: { dataRequestTurn: () => ({ isTaken: false, waiting: new Set() }) },
  routes: dataRequestRoutes,
  operatorRoutes: dataRequestOperatorRoutes,
  jobs: [dataRequestJob],
  loops: [{ name: 'lost data requests', everyMs: MINUTE, isRunAtStart: true, run: pickUpLost }],
  retention: [{ name: 'data that people have asked for', tables: [], keptMs: LINK_MS, sweep: removeSpent }],
  onExport: exportRequests,
  async openDataExport(ctx, project, { subscriberId, requestedBy }) {
    await openRequest(ctx, project, { type: 'EXPORT', reference: subscriberId, requestedBy, actor: null })
  },
  commands: [dataRequestCommand],
  doctor: dataRequestExamination,
})
