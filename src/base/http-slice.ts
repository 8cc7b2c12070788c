import { healthRoutes } from './http/health'
import { httpCron } from './http/jobs'
import { SlidingWindow } from './http/rate-limit'
import { ResponseCache } from './http/response-cache'
import { createSurface, type Surface } from './http/surface'
import { httpTables } from './http/tables'
import { slice } from './slice'

declare module './state' {
  interface SliceState {
    rateLimits: SlidingWindow
    responseCache: ResponseCache
    surface: Surface
  }
}

export const http = slice({
  name: 'http',
  tables: httpTables,
  state: {
    rateLimits: () => new SlidingWindow(),
    responseCache: ({ storage }) => new ResponseCache(storage.changes),
    surface: ({ hooks }) => createSurface(hooks),
  },
  publicRoutes: healthRoutes,
  unlimitedPaths: ['/health', '/health/'],
  readiness: { database: ({ storage }) => storage.ping() },
  cron: httpCron,
})
