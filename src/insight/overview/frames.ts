import { writeCursor } from '../../people/events/feed-cursor'
import { FIGURE_NAMES } from './figures'
import type { LiveState } from './live-state'
import { type NamedEvent, toFirsts, toStore, toTold } from './wire'

// Server-sent events. Only events of the feed have an `id`: behind it, a client that comes back continues.

const frame = (event: string, data: unknown, id: string | null = null): string =>
  `event: ${event}\n${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** The whole feed of a project, as the cursor of the stream of events has it. */
export const feedOf = (projectId: string) => ({ projectId, types: [], subscriberId: null })

export const cursorAt = (projectId: string, position: number, readUntil: number): string =>
  writeCursor({ position, readUntil }, feedOf(projectId))

export const eventFrames = (projectId: string, events: readonly NamedEvent[]): string =>
  events.map((one) => frame('event', toTold(one), cursorAt(projectId, one.position, one.recordedAt))).join('')

/** What differs from an earlier state; everything when there is none. */
export const stateFrames = (before: LiveState | null, now: LiveState): string =>
  [...firstFrames(before, now), ...figureFrames(before, now), ...storeFrames(before, now)].join('')

/** A first time is reported when it happens; an older purchase that is found later is not. */
function firstFrames(before: LiveState | null, { first }: LiveState): string[] {
  const isNew = (name: 'call' | 'purchase') => before?.first[name] === null && first[name] !== null
  return before === null || isNew('call') || isNew('purchase') ? [frame('first', toFirsts(first))] : []
}

const figureFrames = (before: LiveState | null, { figures }: LiveState): string[] =>
  FIGURE_NAMES.flatMap((name) =>
    isEqual(before?.figures[name], figures[name]) ? [] : [frame('figure', { name, ...figures[name] })],
  )

const storeFrames = (before: LiveState | null, { stores }: LiveState): string[] =>
  stores.flatMap((one) => {
    const earlier = before?.stores.find(({ store }) => store === one.store)
    return isEqual(earlier, one) ? [] : [frame('store', toStore(one))]
  })

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
