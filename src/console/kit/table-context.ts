import { createContext } from 'react'
import type { MenuItem } from './menu'

/** What a table of rows from the server offers for each of them. */
export interface TableHere {
  isChosen: (key: string) => boolean
  itemsOf: (row: unknown, key: string, href: string | undefined) => MenuItem[]
}

/** `null` around tables whose rows are only facts. */
export const TableContext = createContext<TableHere | null>(null)
