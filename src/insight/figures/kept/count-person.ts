import type { Cell } from '../cells'

/** `PAYING`: was charged more than nothing in the cell. `NEW`: was not before it. `ACTIVE`: had a paid subscription at any time of it. */
export type PeopleQuestion = 'PAYING' | 'NEW' | 'ACTIVE'

/** What of an entry decides whether its owner counts. */
export interface PersonEntry {
  purchaseId: string
  position: number
  at: number
  charges: number
  paidIn: number
  paidOut: number
}

/** Calls back with the number of each cell in which a person with these entries counts. */
export function countPerson(
  question: PeopleQuestion,
  entries: readonly PersonEntry[],
  cells: readonly Cell[],
  count: (cell: number) => void,
): void {
  const isCounted = question === 'ACTIVE' ? isActive(entries) : isCharged(question, entries)
  for (const [index, cell] of cells.entries()) if (isCounted(cell)) count(index)
}

const isCharged =
  (question: PeopleQuestion, entries: readonly PersonEntry[]) =>
  ({ start, end }: Cell): boolean => {
    let [before, within] = [0, 0]
    for (const { at, charges } of entries)
      if (at < start) before += charges
      else if (at < end) within += charges
    return within > 0 && (question === 'PAYING' || before === 0)
  }

function isActive(entries: readonly PersonEntry[]): (cell: Cell) => boolean {
  const purchases = [...Map.groupBy(entries, ({ purchaseId }) => purchaseId).values()]
  return (cell) => purchases.some((own) => isPaid(own, cell))
}

function isPaid(entries: readonly PersonEntry[], { start, end }: Cell): boolean {
  let [held, began] = [0, 0]
  for (const { at, paidIn, paidOut } of entries)
    if (at < start) held += paidIn - paidOut
    else if (at < end) began += paidIn
  return held > 0 || began > 0
}
