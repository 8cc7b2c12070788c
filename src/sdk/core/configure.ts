import { createClient, type InnerClient } from './client'
import { type Core, hexOf, type Identity, type Listeners } from './core'
import { invalid, isRefused, SvcError } from './error'
import type { Globals } from './globals'
import { ANSWERS, IDENTITY, KEYS } from './keys'
import { openMemory } from './memory'
import type { Log, LogLevel, Options, Storage } from './model'
import { send } from './transport'
import { newKey } from './users'

/** Where a client runs. Every entry of the package has its own. */
export interface Surroundings {
  globals: Globals
  /** Empty on a server. Default: `web` in a browser. */
  platform?: string
  listeners?: Listeners
}

export const newListeners = (): Listeners => ({ changes: new Set(), claims: new Set() })

const LEVELS: readonly LogLevel[] = ['off', 'error', 'warn', 'info', 'debug', 'trace']

/** Makes a client. Rejects `InvalidArgument` when the options cannot be used. */
export async function createWith(options: Options, around: Surroundings): Promise<InnerClient> {
  const { globals, listeners = newListeners() } = around
  const { apiKey, baseUrl, logLevel = 'warn', crypto = globals.crypto } = options
  const fetch = options.fetch ?? globals.fetch?.bind(globals)
  if (!/^svc_pub_\w+$/.test(apiKey)) throw invalid('apiKey must be a public key')
  if (!/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)(:|\/|$))/.test(baseUrl)) throw invalid('baseUrl must be https')
  if (!LEVELS.includes(logLevel)) throw invalid(`logLevel must be one of ${LEVELS}`)
  if (!fetch || !crypto) throw invalid('Pass fetch and crypto')

  const isWeb = !!(globals.document ?? globals.WorkerGlobalScope)
  const root = baseUrl.replace(/\/+$/, '')
  // Browsers send no origin with a GET to the site of the page, so the mount for other sites would refuse it.
  const isOwn = `${root}/`.startsWith(`${globals.location?.origin}/`)
  const prefix = `svc.${apiKey.slice(8, 16)}.`
  const log: Log = (level, message) => {
    if (LEVELS.indexOf(level) <= LEVELS.indexOf(logLevel)) globals.console?.[level]?.('svc:', message)
  }
  const random = (bytes: number) => hexOf(crypto, bytes)
  const first: Identity = { deviceKey: newKey({ random }), appUserId: null, synced: true }
  const identity = (): Identity => memory?.get(IDENTITY) ?? first
  const scope = () => identity().appUserId ?? identity().deviceKey
  const own = () => `${ANSWERS}${scope()}.`
  let memory: Core['memory'] | undefined
  memory = await openMemory(
    options.storage ?? (isWeb ? localStorageOf(globals) : undefined),
    { prefix, own, log },
    KEYS,
  )
  if (identity() === first) memory.set(IDENTITY, first)
  const clock = options.clock ?? {
    now: () => Date.now(),
    setTimeout: globals.setTimeout.bind(globals),
    clearTimeout: globals.clearTimeout.bind(globals),
  }
  const core: Core = {
    ...{ globals, apiKey, fetch, clock, memory, random, log, identity, scope, listeners, isRefused },
    send: (path, body, more) => send(core, path, body, more),
    error: (kind, message, facts) => new SvcError(kind, message, facts),
    sleep: (ms) => new Promise((resolve) => void clock.setTimeout(resolve, ms)),
    backoff: (attempt) => Math.round(500 * 2 ** attempt * (0.8 + +`0x${random(1)}` / 638)),
    base: `${root}/v1${isWeb && !isOwn ? `/web/${apiKey}` : ''}`,
    platform: around.platform ?? (isWeb ? 'web' : ''),
    appVersion: options.appVersion,
    emit(type) {
      for (const listener of listeners.changes)
        try {
          listener({ type, at: clock.now() })
        } catch (error) {
          log('error', error)
        }
    },
    ends: [() => listeners.changes.clear()],
  }
  return createClient(core, prefix)
}

/** The local storage. Where the browser forbids it, each use throws. */
const localStorageOf = (globals: Globals): Storage => {
  const store = () => (globals as Required<Globals>).localStorage
  return {
    get: (key) => store().getItem(key),
    set: (key, text) => store().setItem(key, text),
    remove: (key) => store().removeItem(key),
  }
}
