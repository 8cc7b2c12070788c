import { OUTGOING_LIMITS, type OutgoingCalls, type OutgoingResult } from '../../base/http/outgoing'
import { type Clock, MINUTE, SECOND } from '../../base/lib/clock'
import type { Log } from '../../base/lib/log'
import { importKey, type KeyAlgorithm, type KeySet, nameOf, readKeySet } from './key-set'

export type KeyResult = { ok: true; key: CryptoKey } | { ok: false; reason: 'unknown_key' | 'keys_unavailable' }

/** The names of a key: the project that publishes it, where, and what the token states about it. */
export interface KeyQuestion {
  projectId: string
  url: string
  algorithm: KeyAlgorithm
  kid: string
}

/** How long published keys are used: a key that is withdrawn is not believed for longer. */
export const FRESH_MS = 10 * MINUTE
/** The least time between two questions for a key id that the set does not have. */
export const UNKNOWN_PAUSE_MS = MINUTE
/** The least time between two tries while there are no keys. */
export const RETRY_PAUSE_MS = 10 * SECOND

interface Published {
  projectId: string
  url: string
  keys: KeySet | null
  imported: Map<string, CryptoKey | null>
  fetchedAt: number
  triedAt: number
  /** Whether the last try failed. */
  isFailing: boolean
  fetching: Promise<void> | null
}

type Outgoing = Pick<OutgoingCalls, 'call'>

/** The keys that the servers of projects publish (JWKS). Keys are asked for when a token needs them, and kept. */
export class KeyCache {
  private readonly projects = new Map<string, Published>()
  private readonly closing = new AbortController()

  constructor(
    private readonly outgoing: Outgoing,
    private readonly clock: Clock,
    private readonly log: Pick<Log, 'warn'>,
  ) {}

  /** The key with this id and algorithm. `keys_unavailable` says nothing about the token. */
  async find({ projectId, url, algorithm, kid }: KeyQuestion): Promise<KeyResult> {
    const published = this.publishedBy(projectId, url)
    const name = nameOf(algorithm, kid)
    if (!this.isFresh(published)) await this.refresh(published, published.isFailing ? RETRY_PAUSE_MS : 0)
    else if (!published.keys?.has(name)) await this.refresh(published, UNKNOWN_PAUSE_MS)
    if (!this.isFresh(published)) return { ok: false, reason: 'keys_unavailable' }
    const key = await importedKey(published, algorithm, name)
    if (key) return { ok: true, key }
    // A new key may be in the set that could not be read.
    const isUnread = published.isFailing && !published.keys?.has(name)
    return { ok: false, reason: isUnread ? 'keys_unavailable' : 'unknown_key' }
  }

  close(): void {
    this.closing.abort()
  }

  private publishedBy(projectId: string, url: string): Published {
    const known = this.projects.get(projectId)
    if (known?.url === url) return known
    const never = Number.NEGATIVE_INFINITY
    const times = { fetchedAt: never, triedAt: never, isFailing: false, fetching: null }
    const published = { projectId, url, keys: null, imported: new Map(), ...times }
    this.projects.set(projectId, published)
    return published
  }

  private isFresh({ keys, fetchedAt }: Published): boolean {
    return keys !== null && this.isYounger(fetchedAt, FRESH_MS)
  }

  // Both directions count: after the clock was set back, keys and pauses must not last longer.
  private isYounger(instant: number, limitMs: number): boolean {
    return Math.abs(this.clock.now() - instant) < limitMs
  }

  /** Callers that ask while a request runs share its result. */
  private refresh(published: Published, pauseMs: number): Promise<void> {
    if (!published.fetching && !this.isYounger(published.triedAt, pauseMs)) {
      published.triedAt = this.clock.now()
      published.fetching = this.read(published).finally(() => {
        published.fetching = null
      })
    }
    return published.fetching ?? Promise.resolve()
  }

  private async read(published: Published): Promise<void> {
    const headers = { accept: 'application/json, application/jwk-set+json' }
    const { projectId, url } = published
    const answer = await this.outgoing.call(url, { headers, signal: this.closing.signal }, OUTGOING_LIMITS)
    const keys = answer.ok && answer.status === 200 ? readKeySet(answer.body) : null
    published.isFailing = keys === null
    if (!keys) this.log.warn('identity keys could not be read', { projectId, reason: reasonOf(answer) })
    if (keys) Object.assign(published, { keys, imported: new Map(), fetchedAt: this.clock.now() })
  }
}

async function importedKey(
  { keys, imported }: Published,
  algorithm: KeyAlgorithm,
  name: string,
): Promise<CryptoKey | null> {
  const held = imported.get(name)
  if (held !== undefined) return held
  const jwk = keys?.get(name)
  const key = jwk ? await importKey(algorithm, jwk) : null
  if (jwk) imported.set(name, key)
  return key
}

const reasonOf = (answer: OutgoingResult): string => {
  if (!answer.ok) return answer.reason
  return answer.status === 200 ? 'no JWKS' : `status ${answer.status}`
}
