import { slice } from '../../base/slice'
import type { CachedRoute } from './cached'
import { answerFromCache } from './response-cache'
import { NO_SESSIONS, type SessionStore } from './sessions'

declare module '../../base/state' {
  interface SliceState {
    /** By path below `/v1`. `cached` adds each route when the routes are created. */
    cachedRoutes: Map<string, CachedRoute>
    /** The users, sessions and tokens of the dashboard. */
    sessions: SessionStore
  }
}

export const doors = slice({
  name: 'doors',
  state: { cachedRoutes: () => new Map(), sessions: () => NO_SESSIONS },
  earlyAnswers: answerFromCache,
})
