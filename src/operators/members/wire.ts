import { Type } from '@sinclair/typebox'
import { listAnswer, listQuery } from '../../base/http/list'
import { toIso } from '../../base/lib/time'
import { ROLES } from '../../core/roles/roles'
import { oneOf } from '../../core/schema/object'
import { EmailAddress } from '../accounts/email'
import type { Invitation } from './invitation-queries'
import { INVITATION_STATES, stateOf } from './invitation-state'
import type { Member } from './queries'

const strict = { additionalProperties: false } as const
const params = { additionalProperties: true } as const // The path also contains the project.

export const RoleName = oneOf(ROLES)
const StateName = oneOf(INVITATION_STATES)
const id = Type.String({ minLength: 1, maxLength: 64 })

const MemberSchema = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: RoleName,
    joinedAt: Type.String(),
    revision: Type.Integer(),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  { ...strict, title: 'Member' },
)

const InvitationSchema = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role: RoleName,
    state: StateName,
    deliveryStatus: Type.Union([Type.String(), Type.Null()], {
      description:
        '`QUEUED`, `SENT`, `KEPT` (no mail server), `FAILED` or `SUPPRESSED`; null once the mail is forgotten',
    }),
    link: Type.Union([Type.String(), Type.Null()], {
      description:
        'Where no mail server is configured: what to send to the person, for those who may send the invitation. It proves no address. null for everybody else, for a closed invitation, and without a master key.',
    }),
    expiresAt: Type.String(),
    revision: Type.Integer(),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  { ...strict, title: 'Invitation' },
)

export const ListQuery = Type.Object(listQuery, strict)
export const NoBody = Type.Object({}, strict)
export const UserParams = Type.Object({ userId: id }, params)
export const InvitationParams = Type.Object({ id }, params)
export const TokenParams = Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) }, params)
export const RoleBody = Type.Object({ role: RoleName }, { ...strict, title: 'MemberChange' })
export const TransferBody = Type.Object({ userId: id }, { ...strict, title: 'OwnershipTransfer' })
export const InvitationBody = Type.Object(
  { email: EmailAddress, role: RoleName },
  { ...strict, title: 'NewInvitation' },
)

export const MembersAnswer = listAnswer(MemberSchema)
export const MemberAnswer = Type.Object({ data: MemberSchema }, strict)
export const LeftAnswer = Type.Object({ data: Type.Object({ left: Type.Literal(true) }, strict) }, strict)
export const TransferAnswer = Type.Object({ data: Type.Object({ ownerId: Type.String() }, strict) }, strict)
export const InvitationsAnswer = listAnswer(InvitationSchema)
export const InvitationAnswer = Type.Object({ data: InvitationSchema }, strict)
export const OfferedAnswer = Type.Object(
  {
    data: Type.Object(
      { projectName: Type.String(), email: Type.String(), role: RoleName, state: StateName },
      { ...strict, title: 'OfferedInvitation' },
    ),
  },
  strict,
)

export const toMemberView = ({ userId, email, name, role, createdAt, updatedAt }: Member) => ({
  userId,
  email,
  name,
  role,
  joinedAt: toIso(createdAt),
  createdAt: toIso(createdAt),
  updatedAt: toIso(updatedAt),
})

export const toInvitationView = (invitation: Invitation, link: string | null, now: number) => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  state: stateOf(invitation, now),
  deliveryStatus: invitation.mailStatus,
  link,
  expiresAt: toIso(invitation.expiresAt),
  createdAt: toIso(invitation.createdAt),
  updatedAt: toIso(invitation.updatedAt),
})
