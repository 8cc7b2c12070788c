import type { Core } from './core'
import { unreachable } from './error'
import type { Late } from './late'
import type { Reads } from './reads'

/** Loads the rest of the code once. A failure is one of the network, and the next call loads it again. */
export function lateOf(core: Core, reads: Reads, bound: () => Promise<void>): () => Promise<Late> {
  let loading: Promise<Late> | undefined
  return () => {
    loading ??= import('./late').then(
      ({ createLate }) => createLate(core, reads, bound),
      (error) => {
        loading = undefined
        throw unreachable(error)
      },
    )
    return loading
  }
}
