import { slice } from '../../base/slice'
import { chartNoteRoutes } from './operator-routes'
import { chartNoteTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    cvw: string
    ann: string
  }
}

/** What people keep beside the charts: views of them, and annotations. */
export const chartNotes = slice({
  name: 'chart-notes',
  tables: chartNoteTables,
  cachedRows: { chartViews: 'NOBODY', chartAnnotations: 'NOBODY' },
  personalData: { chartViews: 'NOTHING', chartAnnotations: 'NOTHING' },
  operatorRoutes: chartNoteRoutes,
})
