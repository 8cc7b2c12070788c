import type { Root } from '../../base/lib/certificates'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import { ChainVerifier } from './chain'
import { type SignedResult, type VerifyOptions, verifyInThread } from './jws'
import type { TokenVerifier } from './notification'
import { type TrustedRoots, trustedRoots } from './roots'

const LOOK_AGAIN_MS = 2 * SECOND
const MAX_TEST_ROOTS = 1000

interface Parts {
  /** Extra roots from the configuration; they are trusted for Sandbox and local testing only. */
  extraRoots: readonly Root[]
  /** The root of a project's test store; null until the test store has created one. */
  loadTestRoot: (projectId: string) => Promise<Root | null>
}

interface HeldRoot {
  root: Root
  lookedAt: number
}

/**
 * Verifies what the iOS store signed. Trusted roots never come from the request; the environment that it claims only
 * selects among them.
 */
export class IosStore {
  readonly #roots: TrustedRoots
  readonly #chains: ChainVerifier
  readonly #testRoots = new Map<string, HeldRoot>()

  constructor(private readonly parts: Parts) {
    this.#roots = trustedRoots(parts.extraRoots)
    this.#chains = new ChainVerifier(this.#roots)
  }

  /** Whether the roots could be loaded. Without them no receipt can be verified. */
  get isReady(): boolean {
    return this.#roots.production.length > 0
  }

  /** Verifies for one project: what the test store of another project signed is refused. */
  of(projectId: string): TokenVerifier {
    return { verify: (token, options) => this.#verify(projectId, token, options) }
  }

  async #verify(projectId: string, token: string, options: VerifyOptions): Promise<SignedResult> {
    const testRoot = this.#testRoots.get(projectId)?.root ?? null
    const result = await verifyInThread(token, this.#chains, { ...options, testRoot })
    if (result.ok || result.reason !== 'untrusted_root') return result
    const newer = await this.#lookAgain(projectId)
    if (newer?.fingerprint === testRoot?.fingerprint) return result
    return verifyInThread(token, this.#chains, { ...options, testRoot: newer })
  }

  /**
   * The test store creates its root on first use, maybe in another process. Once a root exists, tokens with forged
   * chains cause a new read at most every two seconds.
   */
  async #lookAgain(projectId: string): Promise<Root | null> {
    const now = monotonicMs()
    const held = this.#testRoots.get(projectId)
    if (held && now - held.lookedAt < LOOK_AGAIN_MS) return held.root
    if (held) held.lookedAt = now
    const root = await this.parts.loadTestRoot(projectId)
    if (root) this.#hold(projectId, { root, lookedAt: now })
    return root ?? held?.root ?? null
  }

  #hold(projectId: string, held: HeldRoot): void {
    this.#testRoots.set(projectId, held)
    const [oldest] = this.#testRoots.keys()
    if (this.#testRoots.size > MAX_TEST_ROOTS && oldest !== undefined) this.#testRoots.delete(oldest)
  }
}
