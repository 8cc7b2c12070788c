import type { AppError } from '../../base/errors'

/** A request body as the store posted it. */
export interface Posted {
  bytes: Uint8Array
  contentType: string | null
  encoding: string | null
  /**
   * Who posted it: the store, or another deployment that forwards what it has got. Absent where no request is answered,
   * as when a store's history is read.
   */
  via?: 'STORE' | 'FORWARDER'
  /**
   * Counts a refusal towards the limit of the sender's address, before anything of it is stored. Throws 429 when the
   * limit is exceeded. Absent where no request is answered, as when a store's history is read.
   */
  countRefusal?: (refusal: AppError) => void
}
