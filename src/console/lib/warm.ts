const LOADS: [pattern: RegExp, load: () => Promise<unknown>][] = []

/** Registers how the code of a screen is fetched. `:name` in the path stands for one part. */
export function warmable(path: string, load: () => Promise<unknown>): void {
  LOADS.push([new RegExp(`^${path.replace(/:[a-zA-Z]+/g, '[^/]+')}$`), load])
}

/** Begins to fetch the code of the screen at an address, because the pointer or the focus is on its link. */
export function warm(href: string): void {
  const path = href.split('?')[0] ?? href
  const found = LOADS.find(([pattern]) => pattern.test(path))
  void found?.[1]().catch(() => {})
}

/** Whether there is a screen at an address. */
export function isScreen(href: string): boolean {
  const path = href.split('?')[0] ?? href
  return LOADS.some(([pattern]) => pattern.test(path))
}
