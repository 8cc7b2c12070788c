import { slice } from '../../base/slice'
import { FirstCalls } from './firsts'
import { HealthKeeper } from './health'
import { FigureKeeper } from './keeper'
import { LiveOverviews } from './live'
import { revenueOfProjects } from './platform-figures'
import { overviewRoutes } from './routes'
import { ArrivalCounts } from './stores'
import { SubscriptionFigureKeeper } from './subscription-figures'
import { overviewTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    firstCalls: FirstCalls
    overviewFigures: FigureKeeper
    overviewHealth: HealthKeeper
    arrivalCounts: ArrivalCounts
    liveOverviews: LiveOverviews
    subscriptionFigures: SubscriptionFigureKeeper
  }
}

/** The first screen of a project: figures, stores and health, also as they change. */
export const overview = slice({
  name: 'overview',
  tables: overviewTables,
  cachedRows: { projectFirsts: 'NOBODY' },
  personalData: { projectFirsts: 'NOTHING' },
  state: {
    firstCalls: (ctx) => new FirstCalls(ctx),
    overviewFigures: (ctx) => new FigureKeeper(ctx),
    overviewHealth: (ctx) => new HealthKeeper(ctx),
    arrivalCounts: (ctx) => new ArrivalCounts(ctx),
    liveOverviews: (ctx) => new LiveOverviews(ctx),
    subscriptionFigures: (ctx) => new SubscriptionFigureKeeper(ctx),
  },
  operatorRoutes: overviewRoutes,
  projectFigures: revenueOfProjects,
  loops: [
    {
      name: 'first calls',
      everyMs: 1000,
      run: ({ state }) => state.firstCalls.save(),
      end: ({ state }) => state.firstCalls.save(),
    },
    { name: 'live overviews', everyMs: 1000, run: async ({ state }) => state.liveOverviews.tick() },
  ],
})
