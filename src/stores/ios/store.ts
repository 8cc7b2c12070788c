import type { Root } from '../../base/lib/certificates'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import { ChainVerifier } from './chain'
import { type SignedResult, type VerifyOptions, verifySigned } from './jws'
import { type TrustedRoots, trustedRoots } from './roots'

const LOOK_AGAIN_MS = 2 * SECOND

interface Parts {
  /** Extra roots from the configuration; they are trusted for Sandbox and local testing only. */
  extraRoots: readonly Root[]
  /** The root of the built-in test store; null until the test store has created one. */
  loadSimulatorRoot: () => Promise<Root | null>
}

/**
 * Verifies what the iOS store signed. Trusted roots never come from the request; the environment that it claims only
 * selects among them.
 */
export class IosStore {
  private roots: TrustedRoots
  private chains: ChainVerifier
  private simulatorRoot: Root | null = null
  private lookedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly parts: Parts) {
    this.roots = trustedRoots(parts.extraRoots)
    this.chains = new ChainVerifier(this.roots)
  }

  /** Whether the roots could be loaded. Without them no receipt can be verified. */
  get isReady(): boolean {
    return this.roots.production.length > 0
  }

  async verify(token: string, options: VerifyOptions): Promise<SignedResult> {
    const { chains } = this
    const result = verifySigned(token, chains, options)
    if (result.ok || result.reason !== 'untrusted_root' || !(await this.hasNewSimulatorRoot(chains))) return result
    return verifySigned(token, this.chains, options)
  }

  /**
   * The test store creates its root on first use, maybe in another process. True when the set of roots has changed.
   * Once a root exists, tokens with forged chains cause a new read at most every two seconds.
   */
  private async hasNewSimulatorRoot(before: ChainVerifier): Promise<boolean> {
    const now = monotonicMs()
    if (this.simulatorRoot && now - this.lookedAt < LOOK_AGAIN_MS) return this.chains !== before
    this.lookedAt = now
    const root = await this.parts.loadSimulatorRoot()
    if (!root || root.fingerprint === this.simulatorRoot?.fingerprint) return this.chains !== before
    this.simulatorRoot = root
    this.roots = trustedRoots([...this.parts.extraRoots, root])
    this.chains = new ChainVerifier(this.roots)
    return true
  }
}
