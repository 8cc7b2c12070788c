import { createContext } from 'react'
import type { MenuItem } from './menu'

/** A row of a list from the server, with its screen when it has one. */
export interface RowAt {
  row: unknown
  key: string
  href: string | undefined
}

/** What a table of rows from the server offers for each of them. */
export interface TableHere {
  isChosen: (key: string) => boolean
  itemsOf: (at: RowAt) => MenuItem[]
  /** Opens the menu of a row at its button. */
  openMenu: (button: HTMLButtonElement, at: RowAt) => void
}

/** `null` around tables whose rows are only facts. */
export const TableContext = createContext<TableHere | null>(null)
