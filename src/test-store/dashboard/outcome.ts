import type { Context } from '../../base/context'
import { resultFor } from '../../intake/receipts/receipt'
import { findByDevice } from '../../people/subscribers/service'
import { conflict } from '../../projects/project/edit'
import type { ProjectState } from '../../projects/project/state'
import type { Done } from '../driver/simulate'
import { APP } from '../stores/world'

/** The app's post was refused for good: nobody got anything, although the store has sold it. */
export function refuseUnheard({ failed }: Done): void {
  const refusal = failed.find(({ type, isFinal }) => type === APP && isFinal)
  if (refusal) throw conflict(`The purchase was refused: ${refusal.error}`)
}

/** What a device has now. */
export async function heldBy(ctx: Context, project: ProjectState, deviceKey: string) {
  const holder = await findByDevice(ctx, project.id, deviceKey)
  const held = holder && (await resultFor(ctx, project, holder))
  return { subscriberId: held?.subscriber.id ?? null, access: Object.keys(held?.access ?? {}) }
}
