import { slice } from '../../base/slice'
import type { CachedRoute } from './cached'
import { answerFromCache } from './response-cache'
import { NO_SESSIONS, type SessionStore } from './sessions'

declare module '../../base/state' {
  interface SliceState {
    /** By their path below `/v1`; filled when the routes are made. */
    cachedRoutes: Map<string, CachedRoute>
    /** Who has signed in to the dashboard. */
    sessions: SessionStore
  }
}

export const doors = slice({
  name: 'doors',
  state: { cachedRoutes: () => new Map(), sessions: () => NO_SESSIONS },
  earlyAnswers: answerFromCache,
})
