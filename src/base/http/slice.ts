import { slice } from '../slice'
import { healthRoutes } from './health'
import { httpCron } from './jobs'
import { SlidingWindow } from './rate-limit'
import { ResponseCache } from './response-cache'
import { httpTables } from './tables'

declare module '../state' {
  interface SliceState {
    rateLimits: SlidingWindow
    responseCache: ResponseCache
  }
}

export const http = slice({
  name: 'http',
  tables: httpTables,
  state: {
    rateLimits: () => new SlidingWindow(),
    responseCache: ({ storage }) => new ResponseCache(storage.changes),
  },
  publicRoutes: healthRoutes,
  cron: httpCron,
})
