import { type Edit, isSame } from '../../../projects/project/edit'
import { type FunnelRow, updateFunnel } from '../queries'
import { entry } from './edit-funnel'
import { type FunnelView, viewAfter } from './view'

/** Writes a change of a funnel with its audit entry; equal content is not written. */
export async function save(
  edit: Edit,
  before: FunnelRow,
  change: Partial<FunnelRow>,
  verb: string,
): Promise<FunnelView> {
  const after = { ...before, ...change }
  if (isSame(before, after)) return viewAfter(edit, before)
  const row = { ...after, updatedAt: edit.now }
  await updateFunnel(edit.tx, before.id, { ...change, updatedAt: edit.now })
  edit.entries.push(entry(verb, before, row))
  return viewAfter(edit, row)
}
