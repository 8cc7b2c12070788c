import { Type } from '@sinclair/typebox'
import { type ListScope, toList } from '../../base/http/list'
import { toIso } from '../../base/lib/time'
import { MeView } from '../accounts/me'
import type { PasskeyRow } from './queries'

const strict = { additionalProperties: false } as const
const Encoded = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })
const Extensions = Type.Object({}, { additionalProperties: true })
const Attachment = Type.Optional(Type.String({ maxLength: 40 }))

/** The members of PublicKeyCredential.toJSON() (https://www.w3.org/TR/webauthn-3/). Unknown ones are refused. */
const credential = {
  id: Encoded(1400),
  rawId: Encoded(1400),
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Optional(Extensions),
  authenticatorAttachment: Attachment,
}

export const SignInBody = Type.Object(
  {
    credential: Type.Object(
      {
        ...credential,
        response: Type.Object(
          {
            clientDataJSON: Encoded(8192),
            authenticatorData: Encoded(8192),
            signature: Encoded(4096),
            userHandle: Type.Optional(Type.Union([Encoded(200), Type.Null()])),
          },
          strict,
        ),
      },
      strict,
    ),
  },
  strict,
)

export const CreateBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    credential: Type.Object(
      {
        ...credential,
        response: Type.Object(
          {
            clientDataJSON: Encoded(8192),
            attestationObject: Encoded(65_536),
            authenticatorData: Type.Optional(Encoded(8192)),
            publicKey: Type.Optional(Type.Union([Encoded(8192), Type.Null()])),
            publicKeyAlgorithm: Type.Optional(Type.Integer()),
            transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
          },
          strict,
        ),
      },
      strict,
    ),
  },
  strict,
)

const Options = (title: string) => Type.Object({}, { additionalProperties: true, title })

/** Passed to `navigator.credentials` through `parseRequestOptionsFromJSON` and `parseCreationOptionsFromJSON`. */
export const RequestOptionsAnswer = Type.Object({ data: Options('PasskeyRequestOptions') }, strict)
export const CreationOptionsAnswer = Type.Object({ data: Options('PasskeyCreationOptions') }, strict)

export const SignedInAnswer = Type.Object({ data: Type.Object({ user: MeView }, strict) }, strict)

export const PasskeyView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    lastUsedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  { ...strict, title: 'Passkey' },
)
export const PasskeyAnswer = Type.Object({ data: PasskeyView }, strict)

export interface Page {
  limit?: number | undefined
  cursor?: string | undefined
}

export const toPage = <Row extends { id: string; createdAt: number }, Item>(
  rows: readonly Row[],
  limit: number,
  scope: ListScope,
  toItem: (row: Row) => Item,
) => toList(rows, limit, scope, { positionOf: ({ createdAt, id }) => [createdAt, id], toItem })

export const toPasskeyView = ({ id, name, createdAt, lastUsedAt }: PasskeyRow) => ({
  id,
  name,
  createdAt: toIso(createdAt),
  lastUsedAt: lastUsedAt === null ? null : toIso(lastUsedAt),
})
