import type { Context } from '../context'
import { invalid } from '../errors'
import type { ProjectState } from '../projects/state'
import { type AttributeChanges, applyAttributes } from './attributes'
import { updateSubscriber } from './queries'
import { lockLive, type SubscriberRow } from './service'

/** Sets, changes and deletes attributes; 400 names every bad key and nothing is written. An erased row stays as it is. */
export async function setAttributes(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  changes: AttributeChanges,
  source: 'sdk' | 'api',
): Promise<SubscriberRow> {
  const rules = { now: ctx.clock.now(), source, extraReservedKeys: project.settings.extraReservedKeys }
  const foreseen = applyAttributes(subscriber.attributes, changes, rules)
  if (!foreseen.ok) throw invalid(foreseen.faults.join('; '))
  if (subscriber.erasedAt !== null || Object.keys(changes).length === 0) return subscriber
  return ctx.write(async (tx) => {
    const row = await lockLive(tx, subscriber)
    if (row.erasedAt !== null) return row
    const result = applyAttributes(row.attributes, changes, rules)
    if (!result.ok) throw invalid(result.faults.join('; '))
    await updateSubscriber(tx, row.id, { attributes: result.attributes, updatedAt: rules.now })
    return { ...row, attributes: result.attributes }
  })
}
