import type { Client, InnerClient } from './client'
import { createWith, newListeners, type Surroundings } from './configure'
import type { Listeners } from './core'
import { invalid } from './error'
import { globals } from './globals'
import type { Options } from './model'

// The functions of the module act on the client that was configured last.
let starting: Promise<InnerClient> | undefined
let last: InnerClient | undefined
let listeners = newListeners()
const parked: (() => void)[] = []
const MOST_PARKED = 10

/** Makes a client. The functions of the module act on it from now on; another call makes another client. */
export const configure = (options: Options): Promise<Client> => configureIn(options, { globals })

/** As `configure`, in surroundings that are not the ones of a browser. */
export async function configureIn(options: Options, around: Surroundings): Promise<InnerClient> {
  const mine = createWith(options, { ...around, listeners })
  starting = mine
  try {
    last = await mine
  } catch (error) {
    if (starting === mine) starting = undefined
    throw error
  }
  listeners = newListeners()
  for (const replay of parked.splice(0)) replay()
  return last
}

const unconfigured = (): never => {
  throw invalid('call configure first')
}

export const lastClient = (): InnerClient => last ?? unconfigured()

type Name = { [K in keyof Client]: Client[K] extends (...args: never[]) => unknown ? K : never }[keyof Client]
type Later = { [K in Name]: ReturnType<Client[K]> extends Promise<unknown> ? K : never }[Name]
type Call = (...args: unknown[]) => unknown

/** A method of the last client. */
export const now = <K extends Name>(name: K): Client[K] =>
  ((...args: unknown[]) => (lastClient()[name] as Call)(...args)) as Client[K]

/** A method that answers later, so it waits for `configure` when that was called. */
export const later = <K extends Later>(name: K): Client[K] =>
  ((...args: unknown[]) => (starting ?? unconfigured()).then((one) => (one[name] as Call)(...args))) as Client[K]

/** A claim may come before `configure`: a link opens an app before its code has started. */
export const claim = <K extends Later>(name: K): Client[K] =>
  (async (...args: unknown[]) => {
    if (!starting) {
      if (parked.length >= MOST_PARKED) unconfigured()
      await new Promise<void>((resolve) => parked.push(resolve))
    }
    return (later(name) as Call)(...args)
  }) as Client[K]

/** The value of a flag; its default while `configure` runs. */
export const flagNow: Client['flag'] = (key, fallback) =>
  starting ? (last?.flag(key, fallback) ?? fallback) : unconfigured()

/** Who listens to the last client, or to the one that will be configured. */
export const listenersNow = (): Listeners => last?.inner.core.listeners ?? listeners
