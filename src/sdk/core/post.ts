import type { Core } from './core'
import type { SvcError } from './error'

/** What browsers send after a page has gone, in characters of all bodies together. */
const LONGEST_LAST = 60_000

/** Sends what waits in a queue. */
export interface Post {
  /** `isLast`: the page goes away. Rejects when there is no room for the body then; the storage holds it. */
  post(path: string, body: unknown, isLast?: boolean): Promise<unknown>
  /** Passes on a failure that is not final for what was sent. A key that is refused now may be accepted again. */
  unlessFinal(error: unknown): void
  /** The page goes away now: there is room for its last requests. */
  makeRoom(): void
}

export function createPost(core: Core): Post {
  let room = 0
  return {
    async post(path, body, isLast) {
      if (isLast) {
        const { length } = JSON.stringify(body)
        if (length > room) throw 0
        room -= length
      }
      return core.send(path, body, { isLast })
    },
    unlessFinal(error) {
      const { status = 0 } = error as SvcError
      if (!core.isRefused(error) || status === 401 || status === 403) throw error
    },
    makeRoom() {
      room = LONGEST_LAST
    },
  }
}
