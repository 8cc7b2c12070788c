import { useProject } from '../lib/session'

/** Addresses of screens of the project. The environment stays as it is. */
export function useHref(): (path: string, query?: Readonly<Record<string, string>>) => string {
  const { base, environment } = useProject()
  return (path, query = {}) => {
    const all = new URLSearchParams(query)
    if (environment === 'SANDBOX') all.set('env', 'sandbox')
    const text = all.toString()
    return `${base}${path}${text === '' ? '' : `?${text}`}`
  }
}
