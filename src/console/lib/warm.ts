import type { ScreenModule, ScreenPlace } from './screen'

type Load = () => Promise<ScreenModule>

const LOADS: [pattern: RegExp, load: Load][] = []

/** Registers how the code of a screen is fetched. `:name` in the path matches one part. */
export function warmable(path: string, load: Load): void {
  LOADS.push([new RegExp(`^${path.replace(/:[a-zA-Z]+/g, '[^/]+')}$`), load])
}

function loadOf(href: string): Load | undefined {
  const path = href.split('?')[0] ?? href
  return LOADS.find(([pattern]) => pattern.test(path))?.[1]
}

/** Starts to fetch the code of the screen at an address, because the pointer or the focus is on its link. */
export const warm = (href: string): void => void loadOf(href)?.().catch(() => {})

/** Starts the first reads of the screen at an address. The screen handles their failures. */
export const askAhead = (href: string, place: ScreenPlace): void =>
  void loadOf(href)?.().then(
    (screen) => screen.askAhead?.(place),
    () => {},
  )

/** Whether there is a screen at an address. */
export const isScreen = (href: string): boolean => loadOf(href) !== undefined
