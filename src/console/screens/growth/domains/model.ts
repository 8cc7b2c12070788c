import type { Schemas } from '../../../api/schemas'
import type { Tone } from '../../../kit/state'

export type Domain = Schemas['CustomDomain']

export const PATH = '/dashboard/projects/{projectId}/custom-domains'

/** What a domain needs next, the first thing first. */
export type Need =
  | 'held'
  | 'failed'
  | 'proof'
  | 'otherProof'
  | 'gone'
  | 'noAddress'
  | 'otherAddress'
  | 'certificate'
  | 'nothing'

export function needOf({ status, failure, verification, dns, certificate, missingSince }: Domain): Need {
  if (failure === 'HELD') return 'held'
  if (status === 'FAILED') return 'failed'
  if (status === 'PENDING') return verification.seen.length > 0 ? 'otherProof' : 'proof'
  if (missingSince !== null) return 'gone'
  if (!dns.ok) return dns.seen.length > 0 ? 'otherAddress' : 'noAddress'
  return certificate.status === 'ISSUED' ? 'nothing' : 'certificate'
}

const TONES: Record<Need, Tone> = {
  held: 'bad',
  failed: 'bad',
  proof: 'warn',
  otherProof: 'warn',
  gone: 'bad',
  noAddress: 'warn',
  otherAddress: 'warn',
  certificate: 'warn',
  nothing: 'good',
}

export const toneOfNeed = (need: Need): Tone => TONES[need]

const WORST_FIRST: readonly Need[] = [
  ...([
    'held',
    'failed',
    'gone',
    'otherAddress',
    'noAddress',
    'certificate',
    'otherProof',
    'proof',
    'nothing',
  ] as const),
]

/** The domains that need something first. */
export const worstFirst = (domains: readonly Domain[]): Domain[] =>
  domains.toSorted((a, b) => WORST_FIRST.indexOf(needOf(a)) - WORST_FIRST.indexOf(needOf(b)))

export const STEPS = ['owned', 'address', 'certificate', 'funnel', 'wallets'] as const
export type Step = (typeof STEPS)[number]

/** How far each of the five steps is. A step waits while one before it is not done. */
export function stepTones(domain: Domain): Record<Step, Tone> {
  const isOwned = domain.status === 'VERIFIED'
  const { certificate, wallets } = domain
  const isActive = wallets !== null && Object.values(wallets).some(({ status }) => status === 'ACTIVE')
  return {
    owned: isOwned ? (domain.missingSince === null ? 'good' : 'bad') : domain.status === 'FAILED' ? 'bad' : 'warn',
    address: domain.dns.ok ? 'good' : isOwned ? 'bad' : 'mute',
    certificate: certificate.status === 'ISSUED' ? 'good' : certificate.status === 'FAILED' ? 'bad' : 'mute',
    funnel: domain.rootFunnelId !== null || domain.redirectTo !== null ? 'good' : 'mute',
    wallets: isActive ? 'good' : 'mute',
  }
}
