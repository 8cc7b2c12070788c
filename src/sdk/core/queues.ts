import type { Attributes } from './attributes'
import type { Core } from './core'
import { createEvents } from './events'
import { ATTRIBUTES, SESSIONS } from './keys'
import type { TrackedEvent } from './model'
import { createPost } from './post'

const MOST_SESSIONS = 200
const FLUSH_EVERY = 30_000

export interface SessionEvent {
  type: 'open' | 'background' | 'close'
  occurredAt: string
  durationMs?: number | undefined
  appVersion?: string | undefined
}

export interface Queues {
  /** Sends the attributes that wait, and gives how many the server has acknowledged. */
  flushAttributes(): Promise<number>
  /** Ends when the event is delivered. Rejects when the server refuses it, or it was dropped. */
  track(event: TrackedEvent): Promise<void>
  addSession(event: SessionEvent): void
  /** Sends what a former session has left. The session itself can wait, so that the first load is one request. */
  begin(): void
  /** Sends all that waits within 30 seconds. */
  later(): void
  /** Sends all that waits, and never rejects. `isLast`: the page goes away. */
  flush(isLast?: boolean): Promise<void>
}

/** `alone` runs one at a time over all tabs; `bound` ends when the server knows the user. */
export function createQueues(
  core: Core,
  { alone, bound }: { alone<T>(run: () => Promise<T>): Promise<T>; bound(): Promise<unknown> },
): Queues {
  const { memory, clock, identity } = core
  const poster = createPost(core)
  const { post, unlessFinal } = poster
  const events = createEvents(core, poster)
  let timer: unknown
  let next: Promise<void> | undefined
  core.ends.push(() => clock.clearTimeout(timer))

  const attributes = (): Attributes => memory.fresh(ATTRIBUTES) ?? {}
  const sessions = (): SessionEvent[] => memory.fresh(SESSIONS) ?? []
  const sendAttributes = async (isLast?: boolean): Promise<number> => {
    const sent = attributes()
    const keys = Object.keys(sent)
    const done = () => {
      const rest = attributes()
      for (const key of keys) if (rest[key] === sent[key]) delete rest[key]
      memory.set(ATTRIBUTES, rest)
    }
    if (keys.length)
      try {
        await post('/me/attributes', { attributes: sent }, isLast)
        done()
      } catch (error) {
        unlessFinal(error)
        done()
        throw error
      }
    return keys.length
  }
  const sendSessions = async (isLast?: boolean): Promise<void> => {
    const sent = sessions()
    if (!sent.length) return
    await post('/sdk/sessions', { subscriberId: identity().deviceKey, events: sent }, isLast).catch(unlessFinal)
    memory.set(SESSIONS, sessions().slice(sent.length))
  }
  const work = async (isLast?: boolean): Promise<void> => {
    try {
      if (!isLast) await bound()
      const sent = sendAttributes(isLast).catch(unlessFinal)
      if (!isLast) await sent
      await Promise.all([sent, events.send(isLast), sendSessions(isLast)])
    } catch {
      queues.later()
    }
    events.settle()
  }
  const queues: Queues = {
    flushAttributes: () => alone(() => bound().then(() => sendAttributes())),
    track(event) {
      const delivered = events.add(event)
      queues.flush()
      return delivered
    },
    addSession(event) {
      memory.set(SESSIONS, [...sessions(), event].slice(-MOST_SESSIONS))
      queues.later()
    },
    begin() {
      if (!events.isEmpty() || Object.keys(attributes()).length) queues.flush()
    },
    later() {
      timer ??= clock.setTimeout(() => {
        timer = undefined
        queues.flush()
      }, FLUSH_EVERY)
    },
    async flush(isLast) {
      if (isLast) {
        poster.makeRoom()
        return work(isLast)
      }
      next ??= alone(() => {
        next = undefined
        return work()
      })
      return next
    },
  }
  return queues
}
