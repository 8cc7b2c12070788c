import { randomKey } from '../lib/use-once'

/** The names of all events that streams of the server send and the console reads. */
const NAMES = ['event', 'figure', 'first', 'store']

/** An open stream, an `EventSource`. */
export interface Source {
  readonly readyState: number
  onOpen(act: () => void): void
  onError(act: () => void): void
  onEvent(name: string, act: (data: string, id: string) => void): void
  close(): void
}

/** Reaches the other windows, not this one. */
export interface Channel {
  onMessage(act: (message: Message) => void): void
  post(message: Message): void
  close(): void
}

interface Locks {
  /** Does something while this window has the lock. Rejects when `signal` comes before. */
  request(name: string, options: { signal: AbortSignal }, hold: () => Promise<void>): Promise<unknown>
}

/** What of the browser is used. Without locks (they need https or localhost), each window opens a stream of its own. */
export interface Browser {
  open(url: string): Source
  locks: Locks | null
  channel(name: string): Channel
}

/** What a window does with a stream. */
export interface Listener {
  onOpen(): void
  /** `isRefused`: this window has to open the stream again, because the browser does not. */
  onError(isRefused: boolean): void
  onEvent(name: string, data: string, id: string): void
}

export type Message =
  /** A window has joined; the one that holds the stream answers. */
  | { kind: 'joined'; window: string }
  /** The stream is open; `window`: only this one did not know it. */
  | { kind: 'open'; window: string | null }
  | { kind: 'error' }
  | { kind: 'event'; name: string; data: string; id: string }

const CLOSED = 2
/** Events that are remembered, so that none is reported twice while one stream replaces another. */
const REMEMBERED = 200

/**
 * Opens a stream that all windows of this browser share: over HTTP/1.1 a browser has six connections to a server, and six
 * windows with a stream each could load no more. One window has the stream and forwards it to others; when it closes, the
 * next one opens it. Returns what ends it for this window.
 */
export function openShared(browser: Browser, url: string, listener: Listener): () => void {
  if (!browser.locks) return holdStream(browser, url, listener, () => {}).close
  const name = `svc-stream ${url}`
  const window = randomKey()
  const channel = browser.channel(name)
  channel.onMessage((message) => hear(listener, message, window))
  channel.post({ kind: 'joined', window })
  const left = new AbortController()
  const hold = () => lead(browser, url, { channel, listener, left: left.signal })
  browser.locks.request(name, { signal: left.signal }, hold).catch(() => {}) // Given up: this window has left.
  return () => {
    left.abort()
    channel.close()
  }
}

function hear(listener: Listener, message: Message, window: string): void {
  if (message.kind === 'event') listener.onEvent(message.name, message.data, message.id)
  if (message.kind === 'error') listener.onError(false)
  if (message.kind === 'open' && (message.window ?? window) === window) listener.onOpen()
}

interface Lead {
  channel: Channel
  listener: Listener
  left: AbortSignal
}

/** Holds the stream until this window leaves. */
function lead(browser: Browser, url: string, { channel, listener, left }: Lead): Promise<void> {
  if (left.aborted) return Promise.resolve()
  const held = holdStream(browser, url, listener, (message) => {
    if (!left.aborted) channel.post(message)
  })
  channel.onMessage((message) => {
    if (message.kind === 'joined') held.welcome(message.window)
  })
  return new Promise((resolve) => {
    left.addEventListener('abort', () => {
      held.close()
      resolve()
    })
  })
}

/** The stream of the overview starts with everything as it is, which a window that joins later has missed. */
const beginsWithState = (url: string): boolean => /\/overview\/live(\?|$)/.test(url)

function holdStream(browser: Browser, url: string, listener: Listener, tell: (message: Message) => void) {
  const seen = new Set<string>()
  let current = connect(null)
  let isOpen = false
  function connect(former: Source | null): Source {
    const source = browser.open(url)
    source.onOpen(() => {
      isOpen = true
      former?.close()
      listener.onOpen()
      tell({ kind: 'open', window: null })
    })
    source.onError(() => {
      if (source !== current) return
      isOpen = false
      former?.close()
      listener.onError(source.readyState === CLOSED)
      tell({ kind: 'error' })
    })
    for (const name of NAMES)
      source.onEvent(name, (data, id) => {
        if (name === 'event' && isRepeated(seen, data)) return
        listener.onEvent(name, data, id)
        tell({ kind: 'event', name, data, id })
      })
    return source
  }
  return {
    close: () => current.close(),
    welcome(window: string) {
      if (!isOpen) return
      if (beginsWithState(url)) current = connect(current)
      else tell({ kind: 'open', window })
    },
  }
}

function isRepeated(seen: Set<string>, data: string): boolean {
  if (seen.has(data)) return true
  seen.add(data)
  const [oldest] = seen
  if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest)
  return false
}
