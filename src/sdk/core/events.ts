import type { Core } from './core'
import { EVENTS } from './keys'
import type { TrackedEvent } from './model'
import type { Post } from './post'

const MOST = 1000
/** How many characters of events are kept, so that they leave room for answers. */
const LONGEST = 180_000
const DROPPED = 'client.dropped'

type QueuedEvent = TrackedEvent & { eventId: string; subscriberId: string }

export interface Events {
  /** Ends when the event is delivered. Rejects when the server refuses it, or it was dropped. */
  add(event: TrackedEvent): Promise<void>
  isEmpty(): boolean
  /** Sends one after the other; all at once when the page goes away. */
  send(isLast?: boolean): Promise<void>
  /** Ends the promises of what another tab has delivered. */
  settle(): void
}

export function createEvents(core: Core, { post, unlessFinal }: Post): Events {
  const { memory, clock, identity } = core
  const waiters: Record<string, { resolve(): void; reject(error: unknown): void }> = {}
  const list = (): QueuedEvent[] => memory.fresh(EVENTS) ?? []
  const end = (id: string, error?: unknown): void => {
    const { [id]: waiter } = waiters
    delete waiters[id]
    if (error) waiter?.reject(error)
    else waiter?.resolve()
  }
  const sendOne = async (event: QueuedEvent, isLast?: boolean): Promise<void> => {
    let fault: unknown
    await post('/events', event, isLast).catch((error) => {
      unlessFinal(error)
      fault = error
    })
    const rest = list().filter(({ eventId }) => eventId !== event.eventId)
    memory.set(EVENTS, rest)
    end(event.eventId, fault)
  }
  const queued = (eventType: string): QueuedEvent & { version: number } => ({
    version: 1,
    eventId: core.random(16),
    eventType,
    occurredAt: new Date(clock.now()).toISOString(),
    subscriberId: identity().deviceKey,
  })
  /** Drops the oldest events of too many. How many went is an event too, the first of those that wait. */
  const shorten = (all: QueuedEvent[]): QueuedEvent[] => {
    if (all.length <= MOST && JSON.stringify(all).length < LONGEST) return all
    const isReported = all[0]?.eventType === DROPPED
    const report = (isReported && all.shift()) || queued(DROPPED)
    const gone = all.shift()?.eventId ?? ''
    end(gone, core.error('InvalidArgument', 'Too many events wait, so this one was dropped'))
    return shorten([{ ...report, amount: `${Number(report.amount ?? 0) + 1}` }, ...all])
  }
  return {
    add: (event) =>
      new Promise((resolve, reject) => {
        if (!event?.eventType) throw core.error('InvalidArgument', 'track needs an eventType')
        const one = { ...queued(''), ...event }
        waiters[one.eventId] = { resolve, reject }
        memory.set(EVENTS, shorten([...list(), one]))
      }),
    isEmpty: () => !list().length,
    async send(isLast) {
      if (isLast) await Promise.all(list().map((event) => sendOne(event, isLast)))
      for (let [next] = list(); next; [next] = list()) await sendOne(next)
    },
    settle() {
      const waiting = list().map(({ eventId }) => eventId)
      for (const id in waiters) if (!waiting.includes(id)) end(id)
    },
  }
}
