import { Type } from '@sinclair/typebox'
import { listAnswer, listQuery } from '../../base/http/list'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { SupportGrant } from './grant-queries'

const strict = { additionalProperties: false } as const
const instantOrNull = Type.Union([Type.String(), Type.Null()])
const stamps = { createdAt: Type.String(), updatedAt: Type.String() }

/** A grant as the members of the project see it. */
const OwnGrantSchema = Type.Object(
  {
    id: Type.String(),
    adminEmail: Type.String(),
    reason: Type.String(),
    expiresAt: Type.String(),
    revokedAt: instantOrNull,
    revision: Type.Integer(),
    ...stamps,
  },
  { ...strict, title: 'SupportAccess' },
)

const GrantSchema = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    adminId: Type.String(),
    reason: Type.String(),
    expiresAt: Type.String(),
    revokedAt: instantOrNull,
    ...stamps,
  },
  { ...strict, title: 'SupportGrant' },
)

export const GrantBody = Type.Object(
  {
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
    hours: Type.Integer({ minimum: 1, maximum: 24 }),
  },
  { ...strict, title: 'NewSupportGrant' },
)
export const ListQuery = Type.Object(listQuery, strict)
export const IdParams = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 64 }) },
  { additionalProperties: true },
)
export const OwnGrantsAnswer = listAnswer(OwnGrantSchema)
export const GrantsAnswer = listAnswer(GrantSchema)
export const GrantAnswer = Type.Object({ data: GrantSchema }, strict)

const shared = ({ id, reason, expiresAt, revokedAt, createdAt, updatedAt }: SupportGrant) => ({
  id,
  reason,
  expiresAt: toIso(expiresAt),
  revokedAt: toIsoOrNull(revokedAt),
  createdAt: toIso(createdAt),
  updatedAt: toIso(updatedAt),
})

export const toOwnGrantView = (grant: SupportGrant) => ({ ...shared(grant), adminEmail: grant.adminEmail })
export const toGrantView = (grant: SupportGrant) => ({
  ...shared(grant),
  projectId: grant.projectId,
  adminId: grant.adminId,
})
