import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/charts', () => import('./gallery')],
  ['/charts/:id', () => import('./chart')],
]
