import type { ApplicationPlace } from './http/application'
import { BodyBudget } from './http/body-budget'
import { CachedRows, declaredRows, forgetChanged, namesOf } from './http/cached-rows'
import { healthRoutes } from './http/health'
import { LongTurns } from './http/long-turns'
import { OutgoingCalls } from './http/outgoing'
import { Forwarded, StrictHosts } from './http/own-https'
import { SlidingWindow } from './http/rate-limit'
import { FLUSH_MS, RefusalLog } from './http/refusal-log'
import { ResponseCache } from './http/response-cache'
import { Limits } from './http/shared/limits'
import { SharedCache } from './http/shared/shared-cache'
import { createSurface, type Surface } from './http/surface'
import { httpTables } from './http/tables'
import { slice } from './slice'

declare module './state' {
  interface SliceState {
    bodies: BodyBudget
    longTurns: LongTurns
    /** Limiters of this process. */
    rateLimits: SlidingWindow
    /** Limiters that all processes share where they have a cache in common. */
    limits: Limits
    /** Null without `SVC_CACHE_URL`. */
    sharedCache: SharedCache | null
    refusalLog: RefusalLog
    responseCache: ResponseCache
    surface: Surface
    strictHosts: StrictHosts
    forwarded: Forwarded
    application: ApplicationPlace
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
  personalData: { idempotencyKeys: 'ERASED' },
  exportedRows: { idempotencyKeys: { withheld: 'copies of answers that were given before, kept for a day' } },
  state: {
    bodies: () => new BodyBudget(),
    longTurns: () => new LongTurns(),
    rateLimits: () => new SlidingWindow(),
    sharedCache: ({ config, log }) => (config.cacheUrl === null ? null : new SharedCache(config.cacheUrl, log)),
    limits: ({ state }) => new Limits(state.rateLimits, state.sharedCache),
    refusalLog: ({ log, clock }) => new RefusalLog(log, clock),
    responseCache: ({ config, storage, tables, hooks }) => {
      const rows = new CachedRows(declaredRows(tables, hooks), namesOf(tables))
      const cache = new ResponseCache(storage.changes, (id) => rows.isRowId(id), config.cacheBytes)
      storage.changes?.listen(forgetChanged(rows, cache))
      return cache
    },
    forwarded: () => new Forwarded(),
    strictHosts: () => new StrictHosts(),
    surface: ({ hooks }) => createSurface(hooks),
    application: () => ({ current: null }),
    listening: () => ({ url: null }),
    outgoing: ({ config }) => new OutgoingCalls(config),
  },
  publicRoutes: healthRoutes,
  unlimitedPaths: ['/health', '/health/'],
  readiness: { database: ({ storage }) => storage.ping() },
  loops: [{ name: 'refusal counts', everyMs: FLUSH_MS, run: async ({ state }) => state.refusalLog.flush() }],
})
