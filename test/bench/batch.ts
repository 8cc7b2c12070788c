import type { Child } from './children'
import { type Round, runRound } from './measure'
import { once } from './requests'

/** Requests a second, as a first guess. */
const GUESS = 500

/**
 * Requests that can be sent only once, so a round ends when all are sent. Their number is the number of requests that
 * the last round sent in its time.
 */
export class Batches {
  private size: number
  private last: readonly Uint8Array[] = []

  constructor(
    private readonly server: Child,
    private readonly seconds: number,
  ) {
    this.size = GUESS * seconds
  }

  /** Creates one request for each place of the next round. */
  fill<Item>(make: (place: number) => Item): Item[] {
    return Array.from({ length: this.size }, (_, place) => make(place))
  }

  async send(requests: readonly Uint8Array[], wanted?: readonly string[]): Promise<Round> {
    this.last = requests
    const round = await runRound(this.server, { next: once(requests), ...(wanted ? { wanted } : {}) })
    this.size = Math.ceil(round.perSecond * this.seconds)
    return round
  }

  /** Sends the same requests again. */
  repeat(): Promise<Round> {
    return runRound(this.server, { next: once(this.last) })
  }
}
