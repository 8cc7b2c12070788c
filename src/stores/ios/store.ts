import type { Clock } from '../../lib/clock'
import { SECOND } from '../../lib/clock'
import { ChainVerifier } from './chain'
import { type SignedResult, type VerifyOptions, verifySigned } from './jws'
import { type Root, type TrustedRoots, trustedRoots } from './roots'

const RELOAD_AFTER_MS = SECOND

interface Parts {
  /** Extra roots of the configuration: Sandbox and local testing only. */
  extraRoots: readonly Root[]
  /** The root of the built-in test store, once it has made one; null while there is none. */
  loadSimulatorRoot: () => Promise<Root | null>
  clock: Clock
}

/** Verifies what the iOS store signed. Roots never come from the request; its environment claim only picks among them. */
export class IosStore {
  private roots: TrustedRoots
  private chains: ChainVerifier
  private loadedAt = Number.NEGATIVE_INFINITY
  private simulatorRoot: Root | null = null

  constructor(private readonly parts: Parts) {
    this.roots = trustedRoots(parts.extraRoots)
    this.chains = new ChainVerifier(this.roots)
  }

  /** Whether the roots could be loaded; without them no receipt can be judged. */
  get isReady(): boolean {
    return this.roots.production.length > 0
  }

  async verify(token: string, options: VerifyOptions): Promise<SignedResult> {
    const result = verifySigned(token, this.chains, options)
    if (result.ok || result.reason !== 'untrusted_root' || !(await this.hasNewSimulatorRoot())) return result
    return verifySigned(token, this.chains, options)
  }

  /** The test store makes its root when it is first used, maybe in another process: looked for at most once a second. */
  private async hasNewSimulatorRoot(): Promise<boolean> {
    const now = this.parts.clock.now()
    if (now - this.loadedAt < RELOAD_AFTER_MS) return false
    this.loadedAt = now
    const root = await this.parts.loadSimulatorRoot()
    if (!root || root.fingerprint === this.simulatorRoot?.fingerprint) return false
    this.simulatorRoot = root
    this.roots = trustedRoots([...this.parts.extraRoots, root])
    this.chains = new ChainVerifier(this.roots)
    return true
  }
}
