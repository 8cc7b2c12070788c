import { slice } from '../../base/slice'
import { dataRequestTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    dsr: string
  }
}

/** Requests of people for the data that is kept about them: to see it, or to have it erased. */
export const dataRequests = slice({
  name: 'data-requests',
  tables: dataRequestTables,
  cachedRows: { dataRequests: 'NOBODY' },
  personalData: { dataRequests: 'REDUCED' },
  exportedRows: { dataRequests: 'requests.jsonl' },
})
