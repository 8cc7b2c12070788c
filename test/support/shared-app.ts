import { AsyncLocalStorage } from 'node:async_hooks'
import { createApp } from '../../src/app'
import type { Context } from '../../src/base/context'

type App = ReturnType<typeof createApp>

/** The context of the request that is being answered. */
const current = new AsyncLocalStorage<Context>()

/** The context of the latest request, for what a request leaves to be called later: a stream that is read on. */
let latest: Context | undefined

function currentContext(): Context {
  const ctx = current.getStore() ?? latest
  if (!ctx) throw new Error('a shared application was used outside of a request')
  return ctx
}

/** Routes that are mounted keep this clock; every other part of the context is read in each request. */
const clock: Context['clock'] = { now: () => currentContext().clock.now() }

/** Reads every member from the context of the current request, so that one mounted application serves many contexts. */
const SHARED = new Proxy({} as Context, {
  get: (_none, name) => (name === 'clock' && isMounting ? clock : Reflect.get(currentContext(), name)),
  set: (_none, name, value) => Reflect.set(currentContext(), name, value),
  has: (_none, name) => Reflect.has(currentContext(), name),
  ownKeys: () => Reflect.ownKeys(currentContext()),
  getOwnPropertyDescriptor: (_none, name) => {
    const found = Reflect.getOwnPropertyDescriptor(currentContext(), name)
    return found && { ...found, configurable: true }
  },
})

let isMounting = false

interface Mounted {
  app: App
  /** What mounting has declared in the context of the first request. */
  cachedRoutes: Context['state']['cachedRoutes']
}

const mounted = new Map<string, Mounted>()

/**
 * Mounting the routes takes longer than most tests, and the routes are the same in every test. So each part of the
 * application is mounted once in a process; `name` says which part.
 */
export function sharedApp(ctx: Context, name: string, isWanted: (prefix: string) => boolean): App['handle'] {
  const { app, cachedRoutes } = mounted.get(name) ?? current.run(ctx, () => mount(name, isWanted))
  for (const [route, declared] of cachedRoutes) ctx.state.cachedRoutes.set(route, declared)
  return (request) => {
    latest = ctx
    return current.run(ctx, () => app.handle(request))
  }
}

function mount(name: string, isWanted: (prefix: string) => boolean): Mounted {
  isMounting = true
  const { cachedRoutes } = currentContext().state
  try {
    const declared = noted(cachedRoutes)
    const entry = { app: createApp(SHARED, undefined, isWanted), cachedRoutes: declared }
    mounted.set(name, entry)
    return entry
  } finally {
    Reflect.deleteProperty(cachedRoutes, 'set')
    isMounting = false
  }
}

/**
 * What is set in a map until its `set` is given back, also where it was set before, as by another application of the same
 * context.
 */
function noted<Key, Value>(map: Map<Key, Value>): Map<Key, Value> {
  const all = new Map<Key, Value>()
  map.set = (key, value) => {
    all.set(key, value)
    return Map.prototype.set.call(map, key, value) as typeof map
  }
  return all
}
