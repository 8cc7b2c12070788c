/** wire 4.3: PENDING → VERIFIED | FAILED; VERIFIED → PENDING; FAILED → PENDING when a person asks for a check. */
export type DomainStatus = 'PENDING' | 'VERIFIED' | 'FAILED'

/** `NOT_PROVED`: no TXT record for 72 hours. `HELD`: another project has proved the name. */
export const DOMAIN_FAILURES = ['NOT_PROVED', 'HELD'] as const
export type DomainFailure = (typeof DOMAIN_FAILURES)[number]

/** What a check has learned of the TXT record. `UNKNOWN`: no name server answered. */
export type Proof = 'SHOWN' | 'MISSING' | 'UNKNOWN'

/** The record that leads the name to this server, as people must set it. */
export interface AddressRecord {
  type: 'CNAME' | 'A' | 'AAAA'
  /** Null while this server does not know its own address. */
  value: string | null
  /** What was there at the latest check, such as `A 203.0.113.9`. */
  seen: string[]
  ok: boolean
}

export const CERTIFICATE_ERRORS = ['dns', 'port80', 'port443', 'caa', 'rate_limited', 'ca', 'other'] as const

/** The certificate of a name. Instants are in ISO 8601. */
export interface CertificateState {
  status: 'PENDING' | 'ISSUING' | 'ISSUED' | 'FAILED'
  notAfter: string | null
  issuer: string | null
  nextAttemptAt: string | null
  error: { code: (typeof CERTIFICATE_ERRORS)[number]; detail: string } | null
}

export const NO_CERTIFICATE: CertificateState = {
  ...{ status: 'PENDING', notAfter: null, issuer: null, nextAttemptAt: null, error: null },
}

export const WALLETS = ['applePay', 'googlePay', 'link', 'paypal'] as const
export type Wallet = (typeof WALLETS)[number]

/** How the payment provider shows a wallet on the name; the error is the provider's sentence. */
export interface WalletState {
  status: 'ACTIVE' | 'INACTIVE'
  error: string | null
}

export type WalletStates = Record<Wallet, WalletState>

/** Where a name is in its life. Instants are Unix milliseconds. */
export interface DomainLife {
  status: DomainStatus
  failure: DomainFailure | null
  /** When its present 72 hours of checks started; null = they start with the next check. */
  cycleAt: number | null
  verifiedAt: number | null
  /** Since when the TXT record of a verified name is gone; null = it is there. */
  missingSince: number | null
}
