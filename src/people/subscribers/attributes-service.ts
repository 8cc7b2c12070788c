import type { Context, Tx } from '../../base/context'
import { invalid } from '../../base/errors'
import { faultsText } from '../../base/lib/faults'
import type { ProjectState } from '../../projects/project/state'
import { type AttributeChanges, applyAttributes } from './attributes'
import { updateSubscriber } from './queries'
import { lockLive, type SubscriberRow } from './service'
import type { StoredAttributes } from './tables'

/** Throws a 400 that names every bad key. Runs before any write, also before the write of the caller's own row. */
export function checkAttributes(ctx: Context, { settings }: ProjectState, changes: AttributeChanges): void {
  const { extraReservedKeys } = settings
  const result = applyAttributes({}, changes, { now: ctx.clock.now(), source: 'sdk', extraReservedKeys })
  if (!result.ok) throw invalid(faultsText(result.faults))
}

interface AttributeEdit {
  source: 'sdk' | 'api' | 'dashboard'
  /** Runs in the transaction, with the row before the change and the names of the attributes that change. */
  record?: (tx: Tx, before: SubscriberRow, changed: readonly string[]) => Promise<void>
}

/** Sets, changes and deletes attributes. Bad keys give a 400 that names all of them. Never changes an erased row. */
export async function setAttributes(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  changes: AttributeChanges,
  { source, record }: AttributeEdit,
): Promise<SubscriberRow> {
  const rules = { now: ctx.clock.now(), source, extraReservedKeys: project.settings.extraReservedKeys }
  if (subscriber.erasedAt !== null || Object.keys(changes).length === 0) return subscriber
  return ctx.write(async (tx) => {
    const row = await lockLive(tx, subscriber)
    if (row.erasedAt !== null) return row
    const result = applyAttributes(row.attributes, changes, rules)
    if (!result.ok) throw invalid(faultsText(result.faults))
    await record?.(tx, row, changedNames(row.attributes, result.attributes))
    await updateSubscriber(tx, row.id, { attributes: result.attributes, updatedAt: rules.now })
    tx.afterCommit(() => tx.state.changeSignal.notify(row.id))
    return { ...row, attributes: result.attributes }
  })
}

const changedNames = (before: StoredAttributes, after: StoredAttributes): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name]?.value !== after[name]?.value)
    .sort()
