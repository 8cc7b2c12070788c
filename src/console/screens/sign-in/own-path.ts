/** A path of this console, for going there after the sign-in. An address of another host would lead a person away. */
export function ownPath(text: string | null): string {
  if (!text?.startsWith('/')) return '/'
  const url = URL.parse(text, location.origin)
  if (url?.origin !== location.origin || /^\/[\\/]/.test(text) || url.pathname.startsWith('//')) return '/'
  // The sign-in itself is no place to go to after it.
  return /^\/(sign-in|sign-up|sign-out|setup)(\/|$)/.test(url.pathname) ? '/' : url.pathname + url.search + url.hash
}

/** The sign-in with a way to come back. */
export const signInAt = (path: string): string => `/sign-in?next=${encodeURIComponent(path)}`
