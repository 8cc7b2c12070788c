import type { Context } from '../../../base/context'
import type { Cell } from '../cells'
import type { SumScope } from '../sums'
import type { Version } from './answer'
import type { GroupKey } from './counts'
import { byOwner } from './owners'
import { eachPart } from './parts'
import { listMoneyEntries, type MoneyEntry } from './queries'

/** By group: for each cell what everybody who was charged in it has paid in all, USD micros, ascending. */
export type NetsByGroup = Map<GroupKey, Float64Array[]>

/** The nets of all payers as of a version, in one pass. */
export async function readNetsOfAll(
  ctx: Context,
  scope: SumScope,
  version: Version,
  cells: readonly Cell[],
): Promise<NetsByGroup> {
  const nets = new Map<GroupKey, number[][]>()
  await eachPart(
    ctx,
    { scope, version, read: (handle, ids) => listMoneyEntries(handle, scope, ids) },
    (entries, owners) => {
      for (const own of byOwner(entries, owners).values())
        for (const [group, some] of Map.groupBy(own, (entry) => entry.group)) {
          const lists = nets.get(group) ?? cells.map(() => [])
          nets.set(group, lists)
          addPerson(lists, some, cells)
        }
    },
  )
  return new Map([...nets].map(([group, lists]) => [group, lists.map((list) => Float64Array.from(list).sort())]))
}

function addPerson(lists: readonly number[][], entries: readonly MoneyEntry[], cells: readonly Cell[]): void {
  const total = entries.reduce((sum, { net }) => sum + net, 0)
  for (const [index, { start, end }] of cells.entries()) {
    let charged = 0
    for (const { at, charges } of entries) if (at >= start && at < end) charged += charges
    if (charged > 0) lists[index]?.push(total)
  }
}
