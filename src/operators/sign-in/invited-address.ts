import type { Context } from '../../base/context'
import type { InvitedAddress } from '../accounts/hooks'

/** Whom an invitation token invites; null for a token that is not valid. */
export async function invitedAddress(ctx: Context, token: string): Promise<InvitedAddress | null> {
  for (const addressOf of ctx.hooks.invitedAddress ?? []) {
    const address = await addressOf(ctx, token)
    if (address !== null) return address
  }
  return null
}
