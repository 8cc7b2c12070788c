import { slice } from '../../base/slice'
import { EventStreams } from './hub'
import { eventLogRoutes } from './operator-routes'

declare module '../../base/state' {
  interface SliceState {
    eventStreams: EventStreams
  }
}

/** The events of a project for the people who run it: as a list and as a stream. */
export const eventLog = slice({
  name: 'event-log',
  state: { eventStreams: (ctx) => new EventStreams(ctx) },
  operatorRoutes: eventLogRoutes,
  loops: [
    { name: 'event stream pings', everyMs: 25_000, run: async ({ state }) => state.eventStreams.ping() },
    { name: 'event stream access', everyMs: 5000, run: ({ state }) => state.eventStreams.checkAccess() },
  ],
})
