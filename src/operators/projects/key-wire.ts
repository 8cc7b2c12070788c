import { Type } from '@sinclair/typebox'
import { listAnswer, listQuery } from '../../base/http/list'
import { bodyInstant } from '../../base/http/parameters'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { oneOf } from '../../core/schema/object'
import { ENVIRONMENTS } from '../../projects/project/keys'
import { MAX_ORIGINS } from '../../projects/project/origins'
import { type KeyView, MAX_OVERLAP_HOURS } from '../../projects/project/service'

const strict = { additionalProperties: false } as const
const textOrNull = Type.Union([Type.String(), Type.Null()])

export const KeySchema = Type.Object(
  {
    id: Type.String(),
    label: Type.String(),
    kind: Type.Union([Type.Literal('pair'), Type.Literal('public'), Type.Literal('secret')]),
    publicKey: textOrNull,
    secretLast4: textOrNull,
    environment: Type.String(),
    allowedOrigins: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Null: the allowed origins of the project apply',
    }),
    ratePerMinute: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Requests that each half may make in a minute. 0: no limit. Null: the rate of the deployment',
    }),
    expiresAt: textOrNull,
    revokedAt: textOrNull,
    lastUsedAt: textOrNull,
    previousUntil: Type.Union([Type.String(), Type.Null()], {
      description: 'Until then the secret before the last rotation is accepted too',
    }),
    revision: Type.Integer(),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  { ...strict, title: 'ApiKey' },
)

const label = Type.String({ minLength: 1, maxLength: 255 })
const shared = {
  environment: Type.Optional(oneOf(ENVIRONMENTS)),
  allowedOrigins: Type.Optional(
    Type.Union([Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: MAX_ORIGINS }), Type.Null()]),
  ),
  expiresAt: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 40 }), Type.Null()])),
  ratePerMinute: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 10_000_000 }), Type.Null()])),
}

export const NewKey = Type.Object(
  { label, kind: Type.Optional(KeySchema.properties.kind), ...shared },
  { ...strict, title: 'NewApiKey' },
)
export const KeyPatch = Type.Object({ label: Type.Optional(label), ...shared }, { ...strict, title: 'ApiKeyChange' })
export const KeyRotation = Type.Object(
  { overlapHours: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_OVERLAP_HOURS, default: 0 })) },
  { ...strict, title: 'ApiKeyRotation' },
)

export const KeyQuery = Type.Object(listQuery, strict)
export const KeyParams = Type.Object({ keyId: Type.String({ maxLength: 64 }) }, { additionalProperties: true })

export const KeysAnswer = listAnswer(KeySchema)
export const KeyAnswer = Type.Object({ data: KeySchema }, strict)
export const KeySecretAnswer = Type.Object(
  {
    data: Type.Object(
      {
        ...KeySchema.properties,
        secret: Type.Union([Type.String(), Type.Null()], {
          description: 'Shown this once; null for a key that is only public',
        }),
      },
      { ...strict, title: 'ApiKeyWithSecret' },
    ),
  },
  strict,
)

export const toKeyWire = (key: KeyView) => ({
  id: key.id,
  label: key.label,
  kind: key.kind,
  publicKey: key.publicKey,
  secretLast4: key.secretLast4,
  environment: key.environment,
  allowedOrigins: key.allowedOrigins,
  ratePerMinute: key.ratePerMinute,
  expiresAt: toIsoOrNull(key.expiresAt),
  revokedAt: toIsoOrNull(key.revokedAt),
  lastUsedAt: toIsoOrNull(key.lastUsedAt),
  previousUntil: toIsoOrNull(key.previousUntil),
  createdAt: toIso(key.createdAt),
  updatedAt: toIso(key.updatedAt),
})

/** The members of a body, with instants in milliseconds. */
export function readKeyBody<Body extends { expiresAt?: string | null }>({ expiresAt, ...members }: Body) {
  return {
    ...members,
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : bodyInstant('expiresAt', expiresAt) }),
  }
}
