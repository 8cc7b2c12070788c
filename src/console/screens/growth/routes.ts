import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/growth', () => import('./flags/list'), 'growth'],
  ['/growth/flags/:key', () => import('./flags/flag'), 'growth'],
  ['/growth/experiments', () => import('./experiments/list'), 'growth'],
  ['/growth/experiments/:id', () => import('./experiments/experiment'), 'growth'],
  ['/growth/placements', () => import('./placements/list'), 'growth'],
  ['/growth/placements/:id', () => import('./placements/placement'), 'growth'],
  ['/growth/audiences', () => import('./audiences/list'), 'growth'],
  ['/growth/audiences/:id', () => import('./audiences/audience'), 'growth'],
]
