import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { type Exposed, UNEXPOSED } from './exposed'
import {
  type AssignmentRow,
  insertAssignments,
  listAssignments,
  listHeld,
  listHeldOfAll,
  replaceVariant,
} from './queries'

/** Variant id by experiment id, of all that a subscriber holds. */
export async function heldVariants(handle: Handle, subscriberId: string): Promise<Map<string, string>> {
  const rows = await listHeld(handle, subscriberId)
  return new Map(rows.map(({ experimentId, variantId }) => [experimentId, variantId]))
}

/** The assignments of a subscriber that were exposed, with the instant of the first exposure. */
export async function listExposed(
  handle: Handle,
  subscriberId: string,
): Promise<{ experimentId: string; variantId: string; exposedAt: number }[]> {
  const rows = await listAssignments(handle, subscriberId)
  return rows.flatMap(({ experimentId, variantId, exposedAt }) =>
    exposedAt === null ? [] : [{ experimentId, variantId, exposedAt }],
  )
}

/** As `heldVariants`, of many subscribers at once; those who hold none are left out. */
export async function heldVariantsOfAll(
  handle: Handle,
  subscriberIds: readonly string[],
): Promise<Map<string, Map<string, string>>> {
  const held = new Map<string, Map<string, string>>()
  for (const { subscriberId, experimentId, variantId } of await listHeldOfAll(handle, subscriberIds))
    held.set(subscriberId, (held.get(subscriberId) ?? new Map<string, string>()).set(experimentId, variantId))
  return held
}

/** An assignment to save; `replaces` names the variant of the row that it replaces, if there is one. */
export interface NewAssignment extends Omit<AssignmentRow, keyof Exposed> {
  replaces: string | null
}

/** Saves assignments one after the other. Each is inserted or ignored: an existing row stays. */
export async function saveAssignments(tx: Tx, drawn: readonly NewAssignment[]): Promise<void> {
  let rows: AssignmentRow[] = []
  const insert = async () => {
    if (rows.length > 0) await insertAssignments(tx, rows)
    rows = []
  }
  for (const { replaces, ...assignment } of drawn) {
    // A draw may replace the row of the draw before it.
    if (replaces !== null) await insert()
    if (replaces !== null && (await replaceVariant(tx, assignment, replaces))) continue
    rows.push({ ...assignment, ...UNEXPOSED })
  }
  await insert()
}
