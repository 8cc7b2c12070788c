import { useEffect, useRef, useState } from 'react'
import { type Browser, type Channel, openShared, type Source } from './shared-stream'

export type StreamState = 'live' | 'paused' | 'reconnecting'

interface Options {
  enabled?: boolean
  /** Handlers by the name of the event. Data is parsed JSON. */
  on: Record<string, (data: unknown, id: string) => void>
  /** The stream is open, for the first time or again. What happened before is not in it. */
  onOpen?: () => void
}

const QUIET_MS = 5000

/** A live stream of the server, which all windows share. For a window it ends while the tab is hidden and is opened again when it is shown. */
export function useStream(url: string, { enabled = true, on, onOpen }: Options): StreamState {
  const handlers = useRef<Handlers>({ on })
  handlers.current = { on, onOpen }
  const [state, setState] = useState<StreamState>('live')
  useEffect(() => {
    if (!enabled) return setState('paused')
    return keepOpen(url, handlers, setState)
  }, [url, enabled])
  return state
}

interface Handlers {
  on: Options['on']
  onOpen?: (() => void) | undefined
}

type Latest = { readonly current: Handlers }

function keepOpen(url: string, handlers: Latest, tell: (state: StreamState) => void): () => void {
  let end: (() => void) | null = null
  let quiet: ReturnType<typeof setTimeout> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  const close = () => {
    clearTimeout(quiet)
    clearTimeout(again)
    quiet = undefined
    end?.()
    end = null
  }
  const reopen = () => {
    close()
    open()
  }
  const open = () => {
    if (end || document.hidden) return
    end = openShared(thisBrowser(), url, {
      onOpen() {
        clearTimeout(quiet)
        quiet = undefined
        tell('live')
        handlers.current.onOpen?.()
      },
      onError(isRefused) {
        quiet ??= setTimeout(() => tell('reconnecting'), QUIET_MS)
        // A refused stream is not opened again by the browser.
        if (isRefused) again = setTimeout(reopen, QUIET_MS)
      },
      onEvent: (name, data, id) => handlers.current.on[name]?.(JSON.parse(data), id),
    })
  }
  const turn = () => (document.hidden ? close() : open())
  document.addEventListener('visibilitychange', turn)
  open()
  return () => {
    document.removeEventListener('visibilitychange', turn)
    close()
  }
}

const thisBrowser = (): Browser => ({
  open: sourceOf,
  // Absent where the page came over http from another machine.
  locks: 'locks' in navigator ? navigator.locks : null,
  channel: channelOf,
})

function sourceOf(url: string): Source {
  const source = new EventSource(url)
  return {
    get readyState() {
      return source.readyState
    },
    onOpen: (act) => source.addEventListener('open', act),
    onError: (act) => source.addEventListener('error', act),
    onEvent: (name, act) =>
      source.addEventListener(name, (event) => {
        const { data, lastEventId } = event as MessageEvent<string>
        act(data, lastEventId)
      }),
    close: () => source.close(),
  }
}

function channelOf(name: string): Channel {
  const channel = new BroadcastChannel(name)
  return {
    onMessage: (act) => {
      channel.onmessage = ({ data }) => act(data)
    },
    post: (message) => channel.postMessage(message),
    close: () => channel.close(),
  }
}
