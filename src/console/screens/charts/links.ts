import { useLocation, useSearch } from 'wouter'

/** The address of the rows behind a figure of the open chart. Opening it leaves everything else as it is. */
export function useRowsHref(): (start: string, value: string, group?: string, isWhole?: boolean) => string {
  const [path] = useLocation()
  const search = useSearch()
  return (start, value, group, isWhole = false) => {
    const next = new URLSearchParams(search)
    next.set('start', start)
    next.set('value', value)
    group === undefined ? next.delete('of') : next.set('of', `=${group}`)
    isWhole ? next.set('whole', '1') : next.delete('whole')
    return `${path}?${next}`
  }
}

/** What the rows of are open, as `useRowsHref` has written it. */
export function openRows(params: URLSearchParams) {
  const [start, value, of] = [params.get('start'), params.get('value'), params.get('of')]
  if (start === null || value === null) return null
  return { start, value, group: of === null ? null : of.slice(1), isWhole: params.get('whole') === '1' }
}

export const CLOSED = { start: null, value: null, of: null, whole: null }
