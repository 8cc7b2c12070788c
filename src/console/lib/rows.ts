/** Rows of lists as keys reach them: each has `data-row`, in tables with the key of the row. */
export const rowHere = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('#main [data-row]') ?? null

/** The focus goes to what opens the row, or to the row itself. */
export function focusRow(row: HTMLElement): void {
  const cell = row.querySelector<HTMLElement>('td') ?? row
  const target = cell.querySelector<HTMLElement>('a[href], button:not([data-copy])') ?? row
  if (target === row) row.tabIndex = -1
  target.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
}

export type RowAct = 'select' | 'copy'

const ROW_EVENT = 'svc:row'

/** Asks the table around a row; false when it is in none. */
export const askRow = (row: HTMLElement, act: RowAct): boolean =>
  !row.dispatchEvent(new CustomEvent(ROW_EVENT, { bubbles: true, cancelable: true, detail: act }))

/** Answers the questions of the rows inside. Returns a function that stops it. */
export function onRowAct(table: HTMLElement, answer: (key: string, act: RowAct) => void): () => void {
  const listener = (event: Event) => {
    const key = event.target instanceof HTMLElement ? event.target.dataset.row : undefined
    if (key === undefined) return
    event.preventDefault()
    answer(key, (event as CustomEvent<RowAct>).detail)
  }
  table.addEventListener(ROW_EVENT, listener)
  return () => table.removeEventListener(ROW_EVENT, listener)
}
