/** Paths that take the session of a browser only, so that no token reads them. */
const NO_TOKEN = /^\/(admin|api\/auth)(\/|$)|^\/dashboard\/me\/(tokens|passkeys|two-factor)(\/|$)/

/**
 * The command that reads a path of the dashboard API. The token is a variable of the shell, never a real one. `null`
 * where a token reads nothing.
 */
export function curlOf(origin: string, path: string): string | null {
  if (NO_TOKEN.test(path)) return null
  const url = `${origin}${path}`.replaceAll("'", '%27')
  return `curl -H "Authorization: Bearer $SVC_TOKEN" '${url}'`
}

/** A path with its parameters: `/dashboard/projects/{projectId}` with `prj_…` in its place. */
export const filled = (path: string, values: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))
