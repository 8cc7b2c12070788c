import { useSyncExternalStore } from 'react'

/** A value outside of the tree of components that any of them can read and change. */
export interface Store<T> {
  get: () => T
  set: (value: T) => void
  use: () => T
  /** Calls back after each change; returns how to stop it. */
  subscribe: (listener: () => void) => () => void
}

export function makeStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  const get = () => value
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    get,
    set: (next) => {
      if (Object.is(value, next)) return
      value = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
    subscribe,
  }
}
