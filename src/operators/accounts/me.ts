import { type Static, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import { domainOf } from './email'
import type { Account } from './queries'

export const MeView = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    emailVerified: Type.Boolean(),
    name: Type.String(),
    twoFactorEnabled: Type.Boolean(),
    hasPassword: Type.Boolean(),
    platformAdmin: Type.Boolean({ description: 'Whether the address belongs to the platform, and is verified' }),
    billsProjects: Type.Boolean({ description: 'Whether this server charges projects for their plans' }),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: false, title: 'Me' },
)

export const toMe = ({ state, config }: Context, { user, hasTwoFactor }: Account): Static<typeof MeView> => ({
  id: user.id,
  email: user.email,
  emailVerified: user.emailVerifiedAt !== null,
  name: user.name,
  twoFactorEnabled: hasTwoFactor,
  hasPassword: user.passwordHash !== null,
  platformAdmin: user.emailVerifiedAt !== null && state.sessions.isAdminDomain(domainOf(user.email)),
  billsProjects: config.cloud !== null,
  createdAt: toIso(user.createdAt),
  updatedAt: toIso(user.updatedAt),
})
