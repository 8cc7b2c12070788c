import { useEffect, useRef, useState } from 'react'

export type StreamState = 'live' | 'paused' | 'reconnecting'

interface Options {
  enabled?: boolean
  /** Handlers by the name of the event. Data is parsed JSON. */
  on: Record<string, (data: unknown, id: string) => void>
  /** The stream is open, for the first time or again. What happened before is not in it. */
  onOpen?: () => void
}

const QUIET_MS = 5000

/** A live stream of the server. It ends while the tab is hidden and is opened again when it is shown. */
export function useStream(url: string, { enabled = true, on, onOpen }: Options): StreamState {
  const handlers = useRef<Handlers>({ on })
  handlers.current = { on, onOpen }
  const names = Object.keys(on).join(',')
  const [state, setState] = useState<StreamState>('live')
  useEffect(() => {
    if (!enabled) return setState('paused')
    return keepOpen(url, names.split(','), handlers, setState)
  }, [url, enabled, names])
  return state
}

interface Handlers {
  on: Options['on']
  onOpen?: (() => void) | undefined
}

type Latest = { readonly current: Handlers }

function keepOpen(url: string, names: string[], handlers: Latest, tell: (state: StreamState) => void): () => void {
  let source: EventSource | null = null
  let quiet: ReturnType<typeof setTimeout> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  const close = () => {
    clearTimeout(quiet)
    clearTimeout(again)
    quiet = undefined
    source?.close()
    source = null
  }
  const reopen = () => {
    close()
    open()
  }
  const open = () => {
    if (source || document.hidden) return
    source = new EventSource(url)
    source.onopen = () => {
      clearTimeout(quiet)
      quiet = undefined
      tell('live')
      handlers.current.onOpen?.()
    }
    source.onerror = () => {
      quiet ??= setTimeout(() => tell('reconnecting'), QUIET_MS)
      // A refused stream is not opened again by the browser.
      if (source?.readyState === EventSource.CLOSED) again = setTimeout(reopen, QUIET_MS)
    }
    for (const name of names) {
      source.addEventListener(name, (event) => {
        const { data, lastEventId } = event as MessageEvent<string>
        handlers.current.on[name]?.(JSON.parse(data), lastEventId)
      })
    }
  }
  const turn = () => (document.hidden ? close() : open())
  document.addEventListener('visibilitychange', turn)
  open()
  return () => {
    document.removeEventListener('visibilitychange', turn)
    close()
  }
}
