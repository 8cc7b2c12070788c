import { type Static, Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { orNull, REVISED } from '../../base/http/object-answer'
import { oneOf } from '../../core/schema/object'
import { CERTIFICATE_ERRORS, DOMAIN_FAILURES } from './model'

const strict = { additionalProperties: false } as const

export const DomainListQuery = Type.Object(listQuery, strict)

const settings = {
  rootFunnelId: Type.Optional(
    orNull(Type.String({ minLength: 1, maxLength: 64, description: 'A published funnel, which is shown at the root' })),
  ),
  redirectTo: Type.Optional(
    orNull(
      Type.String({
        ...{ minLength: 1, maxLength: 2000 },
        description: 'In place of a funnel: the https address to which the root leads',
      }),
    ),
  ),
}

export const DomainBody = Type.Object(
  {
    hostname: Type.String({ minLength: 1, maxLength: 1000, description: 'Such as quiz.example.com' }),
    ...settings,
  },
  { ...strict, title: 'CustomDomainRequest' },
)
export const DomainPatch = Type.Object(settings, { ...strict, title: 'CustomDomainChange' })
export const NoMembers = Type.Object({}, strict)

const seen = Type.Array(Type.String(), { description: 'What name servers said at the latest check' })
const instant = (description: string) => orNull(Type.String({ description }))

const CertificateSchema = Type.Object(
  {
    status: oneOf(['PENDING', 'ISSUING', 'ISSUED', 'FAILED']),
    notAfter: instant('When it expires'),
    issuer: orNull(Type.String()),
    nextAttemptAt: instant('When this server tries again to get one'),
    error: orNull(Type.Object({ code: oneOf(CERTIFICATE_ERRORS), detail: Type.String() }, strict)),
  },
  { ...strict, title: 'DomainCertificate' },
)

const WalletSchema = Type.Object(
  {
    status: oneOf(['ACTIVE', 'INACTIVE']),
    error: orNull(Type.String({ description: 'The sentence of the payment provider' })),
  },
  { ...strict, title: 'DomainWallet' },
)

export const DomainSchema = Type.Object(
  {
    id: Type.String(),
    hostname: Type.String({ description: 'In ASCII (Punycode)' }),
    unicodeHostname: Type.String({ description: 'As people read it' }),
    status: oneOf(['PENDING', 'VERIFIED', 'FAILED']),
    failure: orNull(
      oneOf(DOMAIN_FAILURES, {
        description:
          'Why it is FAILED. NOT_PROVED: its TXT record was not seen for 72 hours; HELD: another project has proved the name',
      }),
    ),
    verification: Type.Object(
      { type: Type.Literal('TXT'), name: Type.String(), value: Type.String(), seen, ok: Type.Boolean() },
      strict,
    ),
    dns: Type.Object(
      {
        type: oneOf(['CNAME', 'A', 'AAAA'], { description: 'A and AAAA at the apex of a zone' }),
        name: Type.String(),
        value: orNull(Type.String({ description: 'null while this server does not know its own address' })),
        seen,
        ok: Type.Boolean(),
      },
      strict,
    ),
    certificate: CertificateSchema,
    wallets: orNull(
      Type.Object(
        { applePay: WalletSchema, googlePay: WalletSchema, link: WalletSchema, paypal: WalletSchema },
        { ...strict, description: 'null while the name is not verified, or no payment account is connected' },
      ),
    ),
    rootFunnelId: orNull(Type.String()),
    redirectTo: orNull(Type.String()),
    checkedAt: instant('The latest check'),
    nextCheckAt: instant('The next one; null for a name that failed'),
    missingSince: instant(
      'Since when the TXT record of a verified name is gone; after 7 days the name is PENDING again',
    ),
    ...REVISED,
  },
  { ...strict, title: 'CustomDomain' },
)

export type DomainAnswer = Static<typeof DomainSchema>
