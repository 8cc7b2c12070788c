import type { Client } from '../core/client'
import { createWith } from '../core/configure'
import { withoutPage } from '../core/globals'
import type { Options } from '../core/model'

export type { Client, Unsubscribe } from '../core/client'
export { type ErrorKind, SvcError } from '../core/error'
export type { Clock, Fetch, Random } from '../core/globals'
export type * from '../core/model'

/**
 * Makes a client for a server. Nothing is shared between two clients, nothing is asked for before the
 * first read, and without `storage` nothing is kept.
 */
export function configure(options: Options): Promise<Client> {
  return createWith(options, { globals: withoutPage(), platform: '' })
}
