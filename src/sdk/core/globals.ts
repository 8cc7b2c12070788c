// What the client uses of the runtime around it. The standard types of browsers would also allow what React Native and
// Node do not have.

/** An answer of `fetch`, as far as the client reads it. */
export interface FetchResponse {
  status: number
  headers: { get(name: string): string | null }
  text(): Promise<string>
  body?: { getReader(): StreamReader } | null
}

export interface StreamReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>
  cancel(): Promise<unknown>
}

export interface Decoder {
  decode(bytes: Uint8Array | undefined, options: { stream: boolean }): string
}

export interface FetchOptions {
  method: string
  headers: Record<string, string>
  body?: string
  signal?: unknown
  keepalive?: boolean
}

export type Fetch = (url: string, options: FetchOptions) => Promise<FetchResponse>

/** Time, replaceable in tests. Times are in milliseconds. */
export interface Clock {
  now(): number
  setTimeout(run: () => void, ms: number): unknown
  clearTimeout(id: unknown): void
}

export interface Random {
  getRandomValues(bytes: Uint8Array<ArrayBuffer>): unknown
}

type Listen = (type: string, listener: (event: never) => void) => void

/** An object that sends events: the window and its document. */
export interface Target {
  addEventListener: Listen
  removeEventListener: Listen
}

/** The part of the global object that the client uses. Every member may be absent. */
export interface Globals extends Partial<Target> {
  fetch?: Fetch
  crypto?: Random
  localStorage?: {
    getItem(key: string): string | null
    setItem(key: string, text: string): void
    removeItem(key: string): void
  }
  navigator?: { onLine?: boolean; locks?: { request(name: string, run: () => Promise<unknown>): Promise<unknown> } }
  document?: Target & { visibilityState: string }
  location?: { href: string; origin: string; assign(url: string): void }
  console?: Record<string, (...parts: unknown[]) => void>
  WorkerGlobalScope?: unknown
  TextDecoder?: new () => Decoder
  AbortController?: new () => { signal: unknown; abort(): void }
  setTimeout: Clock['setTimeout']
  clearTimeout: Clock['clearTimeout']
}

export const globals = globalThis as unknown as Globals

/** The global object without what belongs to a page: for servers, and for apps where a library imitates a browser. */
export function withoutPage(): Globals {
  const { fetch, crypto, console, AbortController, TextDecoder, setTimeout, clearTimeout } = globals
  return { fetch, crypto, console, AbortController, TextDecoder, setTimeout, clearTimeout } as Globals
}
