import type { Root } from '../../base/lib/certificates'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import { ChainVerifier } from './chain'
import { type SignedResult, type VerifyOptions, verifySigned } from './jws'
import { type TrustedRoots, trustedRoots } from './roots'

const LOOK_AGAIN_MS = 2 * SECOND

interface Parts {
  /** Extra roots of the configuration: Sandbox and local testing only. */
  extraRoots: readonly Root[]
  /** The root of the built-in test store, once it has made one; null while there is none. */
  loadSimulatorRoot: () => Promise<Root | null>
}

/** Verifies what the iOS store signed. Roots never come from the request; its environment claim only picks among them. */
export class IosStore {
  private roots: TrustedRoots
  private chains: ChainVerifier
  private simulatorRoot: Root | null = null
  private lookedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly parts: Parts) {
    this.roots = trustedRoots(parts.extraRoots)
    this.chains = new ChainVerifier(this.roots)
  }

  /** Whether the roots could be loaded; without them no receipt can be judged. */
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
   * The test store makes its root when it is first used, maybe in another process; true when the roots have moved. Once
   * there is one, forged chains have it read anew at most every two seconds.
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
