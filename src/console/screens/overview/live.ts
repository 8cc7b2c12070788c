import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useRefresh } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { type StreamState, useStream } from '../../api/stream'
import { useProject } from '../../lib/session'
import { CHART, EVENTS, OVERVIEW } from './asked'

type Overview = Schemas['Overview']

export interface Live {
  state: StreamState
}

/** Keeps the overview's answers current: the stream has figures, stores and first times, and reports new events. */
export function useLive(): Live {
  const { path, api, environment } = useProject()
  const client = useQueryClient()
  const refresh = useRefresh()
  const soon = useSoon()
  const key = [OVERVIEW, { params: { path } }]
  const read = () => client.getQueryData<Overview>(key)
  const patch = (change: (before: Overview) => Overview) =>
    client.setQueryData<Overview>(key, (before) => (before ? change(before) : before))
  const state = useStream(`${api}/overview/live`, {
    on: {
      figure: (data) => {
        const { name, ...figure } = data as { name: string }
        // A stream starts with all figures as they are.
        const isNews = JSON.stringify(read()?.[name as 'revenue30d']) !== JSON.stringify(figure)
        patch((before) => ({ ...before, [name]: figure }))
        if (isNews && name === 'revenue30d') soon('charts', () => refresh(CHART))
      },
      first: (data) => patch((before) => ({ ...before, first: data as Overview['first'] })),
      store: (data) =>
        patch((before) => ({ ...before, stores: withStore(before.stores, data as Schemas['StoreOverview']) })),
      event: (data) => {
        soon('events', () => refresh(EVENTS))
        // Figures of the sandbox are not sent.
        if (environment === 'SANDBOX' && (data as { environment: string }).environment === 'SANDBOX')
          soon('charts', () => refresh(CHART))
      },
    },
  })
  return { state }
}

const withStore = (stores: Overview['stores'], changed: Schemas['StoreOverview']): Overview['stores'] =>
  stores.some(({ store }) => store === changed.store)
    ? stores.map((one) => (one.store === changed.store ? changed : one))
    : [...stores, changed]

const WAIT_MS = 400

/** Does something once for many calls that come together. */
function useSoon(): (name: string, act: () => void) => void {
  const waiting = useRef(new Set<string>())
  return (name, act) => {
    if (waiting.current.has(name)) return
    waiting.current.add(name)
    setTimeout(() => {
      waiting.current.delete(name)
      act()
    }, WAIT_MS)
  }
}
