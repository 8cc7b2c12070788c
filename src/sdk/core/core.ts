import type { ErrorFacts, ErrorKind, SvcError } from './error'
import type { Clock, Fetch, Globals, Random } from './globals'
import type { Memory } from './memory'
import type { Change, ChangeType, FunnelClaim, Log } from './model'

/** The install and its person, as they are kept. */
export interface Identity {
  deviceKey: string
  appUserId: string | null
  /** Whether the server knows the pair. */
  synced: boolean
}

/** What every part of one client shares. */
export interface Core {
  globals: Globals
  apiKey: string
  /** The address to which the paths of the API are appended. */
  base: string
  /** Empty where the client serves no device of a person, as on a server. */
  platform: string
  appVersion: string | undefined
  fetch: Fetch
  clock: Clock
  memory: Memory
  /** Random bytes as hex digits. */
  random(bytes: number): string
  log: Log
  emit(type: ChangeType): void
  identity(): Identity
  /** The name under which answers are kept: the label, else the device key. It is never sent. */
  scope(): string
  listeners: Listeners
  /** Runs when the client is shut down. */
  ends: (() => void)[]
  /**
   * Sends a call until it has an answer, and gives its `data`. With a body it is a POST, which has one idempotency key.
   * It is in this file, as the next one, because the part that is loaded later imports no code of the first one.
   */
  send<T>(path: string, body?: unknown, options?: CallOptions): Promise<T>
  error(kind: ErrorKind, message: string, facts?: ErrorFacts): SvcError
  isRefused(error: unknown): boolean
  /** 1, 2, 4 … seconds by the attempt, each up to a fifth shorter or longer. */
  backoff(attempt: number): number
  sleep(ms: number): Promise<void>
}

/** What a call may have besides its path and body. */
export interface CallOptions {
  headers?: Record<string, string> | undefined
  /** The page goes away: one attempt that may outlive it. */
  isLast?: boolean | undefined
}

export interface Listeners {
  changes: Set<(change: Change) => void>
  claims: Set<(claim: FunnelClaim) => void>
}

export const add = <T>(set: Set<T>, listener: T): (() => void) => {
  set.add(listener)
  return () => void set.delete(listener)
}

export const hexOf = (random: Random, bytes: number): string => {
  const values = new Uint8Array(bytes)
  random.getRandomValues(values)
  return Array.from(values, (value) => (value + 256).toString(16).slice(1)).join('')
}

/** Whether the browser says that there is no network. */
export const isWithoutNetwork = ({ globals }: Core): boolean => globals.navigator?.onLine === false
