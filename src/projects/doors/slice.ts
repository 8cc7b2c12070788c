import { slice } from '../../base/slice'
import type { CachedRoute } from './cached'
import { answerFromCache } from './response-cache'

declare module '../../base/state' {
  interface SliceState {
    /** By their path below `/v1`; filled when the routes are made. */
    cachedRoutes: Map<string, CachedRoute>
  }
}

export const doors = slice({
  name: 'doors',
  state: { cachedRoutes: () => new Map() },
  earlyAnswers: answerFromCache,
})
