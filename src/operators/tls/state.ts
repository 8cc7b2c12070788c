import type { Context } from '../../base/context'
import type { Closable } from '../../base/state'
import type { ServedCertificate } from './certificate'
import type { CertificateFiles } from './files'
import { IssuerWork } from './issuer-work'
import type { PublicListeners } from './listeners'

/** A custom domain whose owner has proved it. */
export interface VerifiedHostname {
  hostname: string
  projectId: string
}

declare module '../../base/state' {
  interface SliceState {
    tls: TlsState
  }
  interface SliceHooks {
    /** The custom domains that get certificates. */
    verifiedHostnames: (ctx: Context) => Promise<readonly VerifiedHostname[]>
  }
}

/** What a process keeps for https. */
export class TlsState implements Closable {
  /** Null while the process does not listen. */
  listeners: PublicListeners | null = null
  /** The certificates that are served; the first is for unknown names. */
  certificates: readonly ServedCertificate[] = []
  /** Which stored certificates these are. */
  loaded = ''
  /** Own certificate files; null in the other modes. */
  files: CertificateFiles | null = null
  /** The last fault of the files that was logged. */
  fileFault: string | null = null
  /** What proves names to the authority: the thumbprint of the account's key; null without an account. */
  thumbprint: string | null = null
  readonly issuer = new IssuerWork()
  /** Who has the port for https for a challenge. */
  readonly handshakes = new Turn()
  /** Who reads or registers the account. */
  readonly accounts = new Turn()
  /** Ends the work of the issuer. */
  private ending = new AbortController()

  get signal(): AbortSignal {
    return this.ending.signal
  }

  /** The answer to a challenge. Every token is answered: the proof is worth nothing without the key of the account. */
  proofOf = (token: string): string | null => (this.thumbprint === null ? null : `${token}.${this.thumbprint}`)

  drain(): void {
    this.ending.abort()
  }

  async close(): Promise<void> {
    this.ending.abort()
    await this.listeners?.stop()
  }
}

/** Lets one piece of work at a time continue, in the order of arrival. */
class Turn {
  private last: Promise<void> = Promise.resolve()

  /** Waits for the turn; returns how to end it. */
  async take(): Promise<() => void> {
    const before = this.last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.last = promise
    await before
    return resolve
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const end = await this.take()
    try {
      return await work()
    } finally {
      end()
    }
  }
}
