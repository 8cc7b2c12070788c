import { type RefObject, useEffect, useRef } from 'react'
import { WITH_ITEMS } from '../api/objects'
import type { Listing, Source } from '../api/queries'
import { curlOf, filled } from '../lib/curl'
import { focusRow, onRowAct } from '../lib/rows'
import { useText } from '../text/catalogue'
import { useCopied } from './copy'
import type { TableHere } from './table-row'
import type { Selection } from './use-selection'

/** The id of a row as the API knows it; `null` for rows that are no objects. */
export function idOf(row: unknown, key: string): string | null {
  const { id } = row as { id?: unknown }
  const found = typeof id === 'string' ? id : key
  return /^\S+$/.test(found) ? found : null
}

/** The command that reads one row, or `null` when the API has no path for it. */
export function curlOfRow({ path, params }: Source, id: string): string | null {
  if (!WITH_ITEMS.includes(path)) return null
  return curlOf(location.origin, `${filled(path, params.path ?? {})}/${encodeURIComponent(id)}`)
}

/** What can be done with every row of a list, by its menu and by keys. */
export function useRowItems<R>(list: Listing<R>, chosen: Selection<R>): Omit<TableHere, 'openMenu'> | null {
  const t = useText('common')
  const copy = useCopied()
  const { source } = list
  if (!source) return null
  return {
    isChosen: chosen.has,
    itemsOf({ row, key, href }) {
      const id = idOf(row, key)
      const curl = id === null ? null : curlOfRow(source, id)
      return [
        ...(href === undefined ? [] : [{ label: t.open, href }]),
        { label: chosen.has(key) ? t.unselect : t.select, onSelect: () => chosen.toggle(key) },
        ...(id === null ? [] : [{ label: t.keyCopy, onSelect: () => copy(id) }]),
        ...(curl === null ? [] : [{ label: t.copyAsCurl, onSelect: () => copy(curl) }]),
      ]
    },
  }
}

interface Acts<R> {
  rows: readonly R[]
  keyOf: (row: R) => string
  chosen: Selection<R>
}

/**
 * Keys on rows: `x` selects, `c` copies the id, Escape clears the selection. On the way back the row has the focus
 * again.
 */
export function useRowKeys<R>(place: RefObject<HTMLElement | null>, acts: Acts<R>): void {
  const latest = useRef(acts)
  latest.current = acts
  const copy = useRef((_: string) => {})
  copy.current = useCopied()
  const isThere = acts.rows.length > 0
  useEffect(() => {
    const table = place.current
    if (!table || !isThere) return
    const stop = onRowAct(table, (key, act) => {
      const { rows, keyOf, chosen } = latest.current
      if (act === 'select') return chosen.toggle(key)
      const row = rows.find((one) => keyOf(one) === key)
      const id = row === undefined ? null : idOf(row, key)
      if (id !== null) copy.current(id)
    })
    const onKey = (event: KeyboardEvent) => {
      const { chosen } = latest.current
      if (event.key !== 'Escape' || event.defaultPrevented || chosen.rows.length === 0) return
      if (document.querySelector('dialog[open], [popover=auto]:popover-open')) return
      event.preventDefault()
      chosen.clear()
    }
    addEventListener('keydown', onKey)
    return () => {
      stop()
      removeEventListener('keydown', onKey)
    }
  }, [place, isThere])
  useReturn(place, isThere)
}

/** The row that was opened has the focus when the person comes back from it. */
function useReturn(place: RefObject<HTMLElement | null>, isThere: boolean): void {
  useEffect(() => {
    const table = place.current
    if (!table || !isThere) return
    const key = (history.state as { row?: string } | null)?.row
    const row = [...table.querySelectorAll<HTMLElement>('[data-row]')].find((one) => one.dataset.row === key)
    if (row && (document.activeElement === document.body || document.activeElement === null)) focusRow(row)
    const onClick = (event: MouseEvent) => {
      if (!(event.target instanceof Element) || event.metaKey || event.ctrlKey) return
      const opened = event.target.closest<HTMLElement>('a[href]')?.closest<HTMLElement>('[data-row]')
      if (opened) history.replaceState({ row: opened.dataset.row }, '')
    }
    table.addEventListener('click', onClick)
    return () => table.removeEventListener('click', onClick)
  }, [place, isThere])
}
