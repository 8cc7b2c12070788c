import { slice } from '../../base/slice'
import { Dispatcher } from './dispatcher'
import { deliveryTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    whd: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    dispatcher: Dispatcher
  }
}

/** What leaves the server by attempts: for webhooks, integrations and forwarded notifications alike. */
export const deliveries = slice({
  name: 'deliveries',
  tables: deliveryTables,
  cachedRows: { deliveries: 'NOBODY', deliveryTargets: 'NOBODY', deliveryCursors: 'NOBODY', deliveryHours: 'NOBODY' },
  state: { dispatcher: (ctx) => new Dispatcher(ctx) },
  loops: [
    {
      name: 'deliveries',
      everyMs: 1000,
      isRunAtStart: true,
      run: ({ state }) => state.dispatcher.tick(),
      end: ({ state }) => state.dispatcher.drain(),
    },
  ],
})
