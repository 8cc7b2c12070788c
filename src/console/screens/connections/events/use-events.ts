import { useEffect, useState } from 'react'
import { queryOf } from '../../../api/client'
import { useList } from '../../../api/queries'
import { useStream } from '../../../api/stream'
import { useProject } from '../../../lib/session'
import type { Event } from './model'

/** Rows that came live and stay on the screen; older ones are read again with "Show more". */
const MOST = 500

interface Filter {
  types: string
  subscriberId: string
}

/** The log with what happens now above it. While it is paused, what arrives waits. */
export function useEvents({ types, subscriberId }: Filter) {
  const { path, api, environment } = useProject()
  const query = { ...(types && { types }), ...(isSubscriberId(subscriberId) && { subscriberId }) }
  const list = useList('/dashboard/projects/{projectId}/events', {
    params: { path, query: { ...query, environment, limit: 50 } },
  })
  const [arrived, setArrived] = useState<readonly Event[]>([])
  const [held, setHeld] = useState<readonly Event[]>([])
  const [isPaused, setPaused] = useState(false)
  const key = queryOf(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter starts again
  useEffect(() => {
    setArrived([])
    setHeld([])
  }, [key, environment])
  const stream = useStream(`${api}/events/stream${key && `?${key}`}`, {
    // What happened between the answer of the list and the opening of the stream is in neither of them.
    onOpen: () => isPaused || list.retry(),
    on: {
      event: (data) => {
        // The stream has those of both.
        if ((data as Event).environment !== environment) return
        const add = (before: readonly Event[]) => [data as Event, ...before].slice(0, MOST)
        isPaused ? setHeld(add) : setArrived(add)
      },
    },
  })
  const resume = () => {
    setArrived((before) => [...held, ...before].slice(0, MOST))
    setHeld([])
    setPaused(false)
    list.retry()
  }
  return {
    list,
    items: joined(arrived, list.items),
    stream,
    isPaused,
    waiting: held.length,
    pause: () => setPaused(true),
    resume,
  }
}

/** An incomplete id is refused by the server, so it does not filter yet. */
const isSubscriberId = (text: string): boolean => /^sub_[0-9a-hjkmnp-tv-z]{26}$/.test(text)

function joined(arrived: readonly Event[], listed: readonly Event[]): Event[] {
  const known = new Set(listed.map(({ id }) => id))
  return [...arrived.filter(({ id }) => !known.has(id)), ...listed]
}
