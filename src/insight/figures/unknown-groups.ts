import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment } from '../../stores/observation'
import { isContextGroup } from './context-groups'
import {
  forgetSums,
  type GroupRow,
  type GroupValue,
  listGroupValues,
  moveEntries,
  NAMES,
  type Name,
  pageGroupRows,
} from './group-queries'
import { knownPersonGroup } from './person-groups'

/** Entries in one transaction, so that a receipt waits for it only a few milliseconds. */
const BATCH = 2000

const ENVIRONMENTS: readonly PurchaseEnvironment[] = ['PRODUCTION', 'SANDBOX']

/**
 * Earlier releases recorded any text that a device sent as a group. Removes those that are no group from the entries, sums
 * and saved answers of a project; `de` becomes `DE`. Safe to repeat.
 */
export async function removeUnknownGroups(ctx: Context, project: ProjectState): Promise<void> {
  const { id: projectId } = project
  const found = await ctx.storage.readInThread((handle) => listGroupValues(handle, projectId))
  const moves = new Map(found.map((one) => [textOf(one), knownGroup(project, one)]))
  if (found.every((one) => moves.get(textOf(one)) === one.value)) return
  for (const environment of ENVIRONMENTS) await moveAll(ctx, projectId, environment, moves)
  await ctx.write((tx) => forgetSums(tx, projectId))
}

/** The known group of each that some entry is in. */
type Moves = ReadonlyMap<string, string | null>

const textOf = ({ name, store, value }: GroupValue): string => `${name} ${store} ${value}`

function knownGroup(project: ProjectState, { name, value, store }: GroupValue): string | null {
  if (name === 'country' || name === 'platform') return knownPersonGroup(name, value, store)
  return isContextGroup(project, name, value) ? value : null
}

async function moveAll(ctx: Context, projectId: string, environment: PurchaseEnvironment, moves: Moves): Promise<void> {
  for (let after = { at: Number.MIN_SAFE_INTEGER, position: 0 }; ; ) {
    const page = await ctx.storage.readInThread((handle) => pageGroupRows(handle, projectId, environment, after, BATCH))
    const last = page.at(-1)
    if (!last) return
    await moveSome(ctx, page, moves)
    after = last
  }
}

async function moveSome(ctx: Context, rows: readonly GroupRow[], moves: Moves): Promise<void> {
  const changed = rows
    .map((row) => ({ position: row.position, groups: changedGroups(row, moves) }))
    .filter(({ groups }) => Object.keys(groups).length > 0)
  if (changed.length === 0) return
  const alike = Map.groupBy(changed, ({ groups }) => JSON.stringify(groups))
  await ctx.write(async (tx) => {
    for (const own of alike.values())
      await moveEntries(
        tx,
        own.map(({ position }) => position),
        own[0]?.groups ?? {},
      )
  })
}

function changedGroups(row: GroupRow, moves: Moves): Partial<Record<Name, string | null>> {
  const changed: Partial<Record<Name, string | null>> = {}
  for (const name of NAMES) {
    const value = row[name]
    const to = value === null ? value : moves.get(textOf({ name, value, store: row.store }))
    if (to !== undefined && to !== value) changed[name] = to
  }
  return changed
}
