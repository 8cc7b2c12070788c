import { FairQueue } from '../../base/http/fair-queue'
import { SECOND } from '../../base/lib/clock'

/**
 * Files that are in memory as a whole: pictures, animations and fonts. The body of one that waits is not read, so it
 * waits at its sender. 429 `RATE_LIMITED` when many of a project wait, 503 `QUEUE_UNAVAILABLE` after the patience.
 */
export const uploadQueue = (): FairQueue =>
  new FairQueue({ places: 4, placesOfGroup: 2, waitingOfGroup: 20, patienceMs: 25 * SECOND })
