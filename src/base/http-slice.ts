import { CachedRows, declaredRows, forgetChanged } from './http/cached-rows'
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
  cachedRows: { idempotencyKeys: 'NOBODY' },
  state: {
    rateLimits: () => new SlidingWindow(),
    responseCache: ({ storage, tables, hooks }) => {
      const rows = new CachedRows(declaredRows(tables, hooks))
      const cache = new ResponseCache(storage.changes, (id) => rows.isRowId(id))
      storage.changes?.listen(forgetChanged(rows, cache))
      return cache
    },
    surface: ({ hooks }) => createSurface(hooks),
  },
  publicRoutes: healthRoutes,
  unlimitedPaths: ['/health', '/health/'],
  readiness: { database: ({ storage }) => storage.ping() },
  cron: httpCron,
})
