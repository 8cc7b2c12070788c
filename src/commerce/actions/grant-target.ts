import { type Static, Type } from '@sinclair/typebox'
import type { Remote } from '../../base/cli/remote'
import { pathOf, requireRemoteProject } from '../../base/cli/remote-project'
import type { Context } from '../../base/context'
import { toIsoOrNull } from '../../base/lib/time'
import { PurchaseViewSchema } from '../../people/purchases/wire'
import { requireProject } from '../../projects/project/lookup'
import { CLI_ORIGIN } from './actor'
import type { GrantWish } from './grant-plan'
import { grantAccess } from './grants'
import { toPurchaseNow } from './wire'

/** A grant as the command line names it. */
export interface Wish extends GrantWish {
  subscriber: string
  reason: string | null
}

/** Grants in the database of this machine. */
export async function grantHere(ctx: Context, ref: string | undefined, wish: Wish): Promise<Granted> {
  const project = await ctx.state.projects.get((await requireProject(ctx, ref)).id)
  const purchase = await grantAccess(ctx, project, { ...wish, origin: CLI_ORIGIN })
  return toPurchaseNow(project, purchase, ctx.clock.now())
}

/** A newer server may answer more. */
const Granted = Type.Omit(PurchaseViewSchema, [], { additionalProperties: true })
type Granted = Static<typeof Granted>

/** Grants on a server. */
export async function grantThere(remote: Remote, ref: string | undefined, wish: Wish): Promise<Granted> {
  const project = await requireRemoteProject(remote, ref)
  const { subscriber, productId, accessIds, expiresAt, reason } = wish
  const body = {
    ...(productId === null ? {} : { productId }),
    ...(accessIds === null ? {} : { accessIds }),
    expiresAt: toIsoOrNull(expiresAt),
    ...(reason === null ? {} : { reason }),
  }
  return remote.call('POST', pathOf(project, 'subscribers', subscriber, 'grants'), { data: Granted, body })
}
