import type { Context } from '../../../base/context'
import type { Cell } from '../cells'
import type { SumScope } from '../sums'
import type { Version } from './answer'
import type { GroupKey } from './counts'
import { byOwner } from './owners'
import { eachPart } from './parts'
import { listMoneyEntries, type MoneyEntry } from './queries'

/** For each cell what everybody who was charged in it has paid in all, USD micros, ascending. */
export interface AllNets {
  whole: Float64Array[]
  byGroup: Map<GroupKey, Float64Array[]>
}

/** The nets of all payers as of a version, in one pass. */
export async function readNetsOfAll(
  ctx: Context,
  scope: SumScope,
  version: Version,
  cells: readonly Cell[],
): Promise<AllNets> {
  const begin = (): number[][] => cells.map(() => [])
  const [whole, byGroup] = [begin(), new Map<GroupKey, number[][]>()]
  await eachPart(
    ctx,
    { scope, version, read: (handle, ids) => listMoneyEntries(handle, scope, ids) },
    (entries, owners) => {
      for (const own of byOwner(entries, owners).values()) {
        addPerson(whole, own, cells)
        if (scope.groupBy === null) continue
        for (const [group, some] of Map.groupBy(own, (entry) => entry.group)) {
          const lists = byGroup.get(group) ?? begin()
          byGroup.set(group, lists)
          addPerson(lists, some, cells)
        }
      }
    },
  )
  return { whole: sorted(whole), byGroup: new Map([...byGroup].map(([group, lists]) => [group, sorted(lists)])) }
}

const sorted = (lists: readonly number[][]): Float64Array[] => lists.map((list) => Float64Array.from(list).sort())

function addPerson(lists: readonly number[][], entries: readonly MoneyEntry[], cells: readonly Cell[]): void {
  const total = entries.reduce((sum, { net }) => sum + net, 0)
  for (const [index, { start, end }] of cells.entries()) {
    let charged = 0
    for (const { at, charges } of entries) if (at >= start && at < end) charged += charges
    if (charged > 0) lists[index]?.push(total)
  }
}
