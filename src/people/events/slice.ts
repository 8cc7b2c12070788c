import { slice } from '../../base/slice'
import { FeedSignal } from './feed-signal'
import { eventOperatorRoutes } from './operator-routes'
import { eraseEvents } from './personal-data'
import { exportEvents } from './personal-export'
import { countEventDays } from './queries'
import { eventRetention } from './retention'
import { feedRoutes } from './routes'
import { eventTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    feedSignal: FeedSignal
  }
}

export const events = slice({
  name: 'events',
  tables: eventTables,
  cachedRows: { events: 'NOBODY' },
  onErase: eraseEvents,
  personalData: { events: 'REDUCED' },
  exportedRows: { events: 'events.jsonl' },
  onExport: exportEvents,
  state: { feedSignal: () => new FeedSignal() },
  routes: feedRoutes,
  operatorRoutes: eventOperatorRoutes,
  usageSources: [{ meter: 'events', countDays: countEventDays }],
  retention: [eventRetention],
})
