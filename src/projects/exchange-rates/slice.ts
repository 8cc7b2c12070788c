import { slice } from '../../base/slice'
import { ratesCommand } from './command'
import { rateExamination } from './doctor'
import { rateCron } from './jobs'
import { RateStore } from './rate-store'
import { isStale } from './schedule'
import { newestDay } from './status'
import { exchangeRateTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    fxu: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    exchangeRates: RateStore
  }
}

/** The prices of currencies in US dollars, for the whole deployment (wire 5.11). */
export const exchangeRates = slice({
  name: 'exchange-rates',
  tables: exchangeRateTables,
  cachedRows: { exchangeRates: 'NOBODY', rateUpdates: 'NOBODY', rateFetches: 'NOBODY' },
  personalData: { exchangeRates: 'NOTHING', rateUpdates: 'NOTHING', rateFetches: 'NOTHING' },
  state: { exchangeRates: () => new RateStore() },
  cron: rateCron,
  commands: [ratesCommand],
  doctor: rateExamination,
  readiness: {
    // Without any rate none can be out of date: a server that has none is not degraded.
    fx: async (ctx) => {
      const newest = await newestDay(ctx)
      return newest !== null && isStale(ctx.clock.now(), newest) ? 'degraded' : undefined
    },
  },
})
