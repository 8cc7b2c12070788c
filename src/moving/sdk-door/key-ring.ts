import type { Handle } from '../../base/db/handle'
import { type Clock, SECOND } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import type { KeyState } from '../../projects/project/state'
import { findFormerKey } from './queries'

const LIFE_MS = 2 * SECOND
const MAX_KNOWN = 10_000

interface Held {
  key: KeyState | null
  until: number
}

/** Keys of the former vendor in memory, each for 2 s, so that a change by another process is seen after that. */
export class FormerKeyRing {
  private readonly known = new Map<string, Held>()

  constructor(
    private readonly handle: Handle,
    private readonly clock: Clock,
  ) {}

  /** The key as if it were a public key of the project that has entered it; null for an unknown one. */
  async find(whole: string): Promise<KeyState | null> {
    const hash = sha256Hex(whole)
    const held = this.heldAs(hash)
    if (held) return held.key
    const row = await findFormerKey(this.handle, hash)
    const key = row && toKey(row)
    if (this.known.size >= MAX_KNOWN) this.known.clear()
    this.known.set(hash, { key, until: this.clock.now() + LIFE_MS })
    return key
  }

  /** As `find`, but only from memory: null when the database must be read, or the key is unknown. */
  heldBy(whole: string): KeyState | null {
    return this.heldAs(sha256Hex(whole))?.key ?? null
  }

  private heldAs(hash: string): Held | undefined {
    const held = this.known.get(hash)
    return held && this.clock.now() < held.until ? held : undefined
  }

  /** Forgets all keys. Called after a change by this process. */
  forget(): void {
    this.known.clear()
  }
}

const toKey = ({ id, projectId }: { id: string; projectId: string }): KeyState => ({
  id,
  projectId,
  publicKey: null,
  presented: 'public',
  allowedOrigins: null,
  ratePerMinute: null,
  expiresAt: null,
})
