import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import type { ProjectState } from '../../projects/project/state'
import { type AttributeChanges, applyAttributes } from './attributes'
import { updateSubscriber } from './queries'
import { lockLive, type SubscriberRow } from './service'

/** Refuses bad changes before anything is written, the caller's row included; 400 names every bad key. */
export function checkAttributes(ctx: Context, { settings }: ProjectState, changes: AttributeChanges): void {
  const { extraReservedKeys } = settings
  const foreseen = applyAttributes({}, changes, { now: ctx.clock.now(), source: 'sdk', extraReservedKeys })
  if (!foreseen.ok) throw invalid(foreseen.faults.join('; '))
}

/** Sets, changes and deletes attributes; 400 names every bad key and nothing is written. An erased row stays as it is. */
export async function setAttributes(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  changes: AttributeChanges,
  source: 'sdk' | 'api',
): Promise<SubscriberRow> {
  const rules = { now: ctx.clock.now(), source, extraReservedKeys: project.settings.extraReservedKeys }
  if (subscriber.erasedAt !== null || Object.keys(changes).length === 0) return subscriber
  return ctx.write(async (tx) => {
    const row = await lockLive(tx, subscriber)
    if (row.erasedAt !== null) return row
    const result = applyAttributes(row.attributes, changes, rules)
    if (!result.ok) throw invalid(result.faults.join('; '))
    await updateSubscriber(tx, row.id, { attributes: result.attributes, updatedAt: rules.now })
    tx.afterCommit(() => tx.state.changeSignal.notify(row.id))
    return { ...row, attributes: result.attributes }
  })
}
