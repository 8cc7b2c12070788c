import type { Handle } from '../../base/db/handle'
import type { Cell } from '../figures/cells'
import { type SumScope, sumCells } from '../figures/sums'
import { roundAway } from './figure'

type Count = (handle: Handle, scope: SumScope, cell: Cell) => Promise<number>

/** Net revenue of a cell by as many subscribers as are counted; null when there are none. USD micros, rounded half away from zero. */
export async function netPerHead(handle: Handle, scope: SumScope, cell: Cell, count: Count): Promise<number | null> {
  const heads = await count(handle, scope, cell)
  if (heads === 0) return null
  const [one] = await sumCells(handle, { ...scope, groupBy: null }, [cell])
  return roundAway(one ? (one.sums.gross - one.sums.refunds) / heads : 0)
}
