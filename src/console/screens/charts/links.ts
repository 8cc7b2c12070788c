import { useLocation, useSearch } from 'wouter'
import type { RowsAsked } from './figures'

/**
 * The address of the rows behind a figure of the open chart. Opening it leaves everything else as it is. Those that
 * another chart has are opened there.
 */
export function useRowsHref(): (start: string, rows: RowsAsked, isWhole?: boolean) => string {
  const [path] = useLocation()
  const search = useSearch()
  return (start, { value, group, chart }, isWhole = false) => {
    const next = new URLSearchParams(search)
    next.set('start', start)
    next.set('value', value)
    group === undefined ? next.delete('of') : next.set('of', `=${group}`)
    isWhole ? next.set('whole', '1') : next.delete('whole')
    if (chart === undefined) return `${path}?${next}`
    for (const name of ['hidden', 'group']) next.delete(name)
    return `${path.slice(0, path.lastIndexOf('/'))}/${chart}?${next}`
  }
}

/** What the rows of are open, as `useRowsHref` has written it. */
export function openRows(params: URLSearchParams) {
  const [start, value, of] = [params.get('start'), params.get('value'), params.get('of')]
  if (start === null || value === null || Number.isNaN(Date.parse(start))) return null
  return { start, value, group: of === null ? null : of.slice(1), isWhole: params.get('whole') === '1' }
}

export const CLOSED = { start: null, value: null, of: null, whole: null }
