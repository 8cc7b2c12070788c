import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { MemberRole } from '../../projects/doors/roles'

/** Membership of one project, in the export of an account. */
export interface Membership {
  projectId: string
  projectName: string
  role: string
  createdAt: string
}

/** The address of an invitation. */
export interface InvitedAddress {
  email: string
  /** The invitation, when its token comes from a link that was shown and proves nothing; null for the token of the mail. */
  shownBy: string | null
}

/** What accounts need to know of projects and their members. The slice of the members provides it. */
declare module '../../base/state' {
  interface SliceHooks {
    /** The role of a user in a project, by membership or by a support grant that is valid now; null = none. */
    memberRole: (ctx: Context, userId: string, projectId: string) => Promise<MemberRole | null>
    /** The projects that a user owns. It is called in the transaction that deletes the user. */
    ownedProjects: (handle: Handle, userId: string) => Promise<{ id: string; name: string }[]>
    /** Whom a valid invitation token invites; null for any other token. */
    invitedAddress: (ctx: Context, invitationToken: string) => Promise<InvitedAddress | null>
    exportOfUser: (ctx: Context, userId: string) => Promise<{ memberships: Membership[] }>
    /** Deletes what other slices keep for a user, in the transaction that deletes the user. */
    onDeleteUser: (tx: Tx, userId: string) => Promise<void>
    /** Deletes where other slices send what the guest of an account was to read, when its address is proved. */
    onEndGuest: (tx: Tx, userId: string) => Promise<void>
    /** Makes a user an owner of a project. */
    makeOwner: (tx: Tx, userId: string, projectId: string) => Promise<void>
    /** Makes the first user of a deployment an owner of the projects that have no member. */
    adoptProjects: (tx: Tx, userId: string) => Promise<void>
  }
}
