import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/growth', () => import('./flags/list')],
  ['/growth/flags/:key', () => import('./flags/flag')],
]
