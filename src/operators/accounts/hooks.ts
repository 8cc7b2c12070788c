import type { Context, Tx } from '../../base/context'
import type { MemberRole } from '../../core/roles/roles'

/** What accounts need to know of projects and their members. The slice of the members provides it. */
declare module '../../base/state' {
  interface SliceHooks {
    /** The role of a user in a project, by membership or by a support grant that is valid now; null = none. */
    memberRole: (ctx: Context, userId: string, projectId: string) => Promise<MemberRole | null>
    /** Deletes what other slices keep for a user, in the transaction that deletes the user. */
    onDeleteUser: (tx: Tx, userId: string) => Promise<void>
    /** Deletes where other slices send what the guest of an account was to read, when its address is proved. */
    onEndGuest: (tx: Tx, userId: string) => Promise<void>
  }
}
