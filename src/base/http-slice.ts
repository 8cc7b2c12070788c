import { BodyBudget } from './http/body-budget'
import { CachedRows, declaredRows, forgetChanged, namesOf } from './http/cached-rows'
import { healthRoutes } from './http/health'
import { httpCron } from './http/jobs'
import { OutgoingCalls } from './http/outgoing'
import { SlidingWindow } from './http/rate-limit'
import { FLUSH_MS, RefusalLog } from './http/refusal-log'
import { ResponseCache } from './http/response-cache'
import { createSurface, type Surface } from './http/surface'
import { httpTables } from './http/tables'
import { slice } from './slice'

declare module './state' {
  interface SliceState {
    bodies: BodyBudget
    rateLimits: SlidingWindow
    refusalLog: RefusalLog
    responseCache: ResponseCache
    surface: Surface
    /** Where this server listens; null before it does. */
    listening: { url: string | null }
    /** Calls to addresses that users gave. */
    outgoing: OutgoingCalls
  }
}

export const http = slice({
  name: 'http',
  tables: httpTables,
  cachedRows: { idempotencyKeys: 'NOBODY' },
  state: {
    bodies: () => new BodyBudget(),
    rateLimits: () => new SlidingWindow(),
    refusalLog: ({ log, clock }) => new RefusalLog(log, clock),
    responseCache: ({ config, storage, tables, hooks }) => {
      const rows = new CachedRows(declaredRows(tables, hooks), namesOf(tables))
      const cache = new ResponseCache(storage.changes, (id) => rows.isRowId(id), config.cacheBytes)
      storage.changes?.listen(forgetChanged(rows, cache))
      return cache
    },
    surface: ({ hooks }) => createSurface(hooks),
    listening: () => ({ url: null }),
    outgoing: ({ config }) => new OutgoingCalls(config),
  },
  publicRoutes: healthRoutes,
  unlimitedPaths: ['/health', '/health/'],
  readiness: { database: ({ storage }) => storage.ping() },
  cron: httpCron,
  loops: [{ name: 'refusal counts', everyMs: FLUSH_MS, run: async ({ state }) => state.refusalLog.flush() }],
})
