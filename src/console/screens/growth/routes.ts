import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/growth', () => import('./flags/list')],
  ['/growth/flags/:key', () => import('./flags/flag')],
  ['/growth/experiments', () => import('./experiments/list')],
  ['/growth/experiments/:id', () => import('./experiments/experiment')],
  ['/growth/placements', () => import('./placements/list')],
  ['/growth/placements/:id', () => import('./placements/placement')],
  ['/growth/audiences', () => import('./audiences/list')],
  ['/growth/audiences/:id', () => import('./audiences/audience')],
]
