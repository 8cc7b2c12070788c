import { navigate, usePathname, useSearch } from 'wouter/use-browser-location'

type Set = (value: string | null, options?: { push?: boolean }) => void

/**
 * One member of the query in the address. The default stays out of it. Setting replaces the entry of the history, with
 * `push` it adds one, so that Back undoes it.
 */
export function useParam(name: string, fallback = ''): [value: string, set: Set] {
  const [values, setAll] = useParams()
  return [
    values.get(name) ?? fallback,
    (value, options) => setAll({ [name]: value === fallback ? null : value }, options),
  ]
}

type SetAll = (values: Record<string, string | null>, options?: { push?: boolean }) => void

/** All members of the query. `null` or an empty text removes one. */
export function useParams(): [values: URLSearchParams, set: SetAll] {
  const search = useSearch()
  const path = usePathname()
  const set: SetAll = (values, { push = false } = {}) => {
    // An answer may come after the screen was left.
    if (location.pathname !== path) return
    // The address, not the render: two changes in one turn must both be kept.
    const next = new URLSearchParams(location.search)
    for (const [key, value] of Object.entries(values)) value ? next.set(key, value) : next.delete(key)
    const text = next.toString()
    navigate(text === '' ? path : `${path}?${text}`, { replace: !push })
  }
  return [new URLSearchParams(search), set]
}
