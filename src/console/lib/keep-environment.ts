import { navigate as go, useBrowserLocation } from 'wouter/use-browser-location'

/** Who looks at the sandbox of a project stays in it: an address of the same project that names no environment gets it. */
export function inEnvironment(href: string): string {
  const next = new URL(href, location.href)
  if (!isSandbox() || slugOf(next) !== slugOf(location) || next.searchParams.has('env')) return href
  next.searchParams.set('env', 'sandbox')
  return next.pathname + next.search + next.hash
}

const isSandbox = (): boolean => new URLSearchParams(location.search).get('env') === 'sandbox'

const slugOf = ({ pathname }: { pathname: string }): string | undefined => /^\/p\/([^/]+)/.exec(pathname)?.[1]

/** The address of the browser. Every way to open another screen stays in the environment. */
export const useKeptLocation: typeof useBrowserLocation = (options) => [useBrowserLocation(options)[0], goTo]

/** Opens another screen. */
export const goTo: typeof go = (to, options) => go(typeof to === 'string' ? inEnvironment(to) : to, options)
