import type { Context } from '../../base/context'
import { findSubscriber, lockLive, updateSubscriber } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'

interface ErasureRequest {
  id: string
  subscriberId: string
}

/** Erases a person. Safe to repeat. */
export async function eraseSubscriber(ctx: Context, project: ProjectState, request: ErasureRequest): Promise<string> {
  await ctx.write(async (tx) => {
    const row = await findSubscriber(tx, project.id, request.subscriberId)
    const person = row && (await lockLive(tx, row))
    if (!person) return
    for (const erase of tx.hooks.onErase ?? []) await erase(tx, project, person)
    await updateSubscriber(tx, person.id, { appUserId: null, attributes: {}, erasedAt: tx.clock.now() })
  })
  return `erased ${request.id}`
}
