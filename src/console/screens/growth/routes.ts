import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/growth', () => import('./flags/list'), 'growth'],
  ['/growth/flags/:key', () => import('./flags/flag'), 'growth'],
  ['/growth/experiments', () => import('./experiments/list'), 'growth'],
  ['/growth/experiments/:id', () => import('./experiments/experiment'), 'growth'],
  ['/growth/placements', () => import('./placements/list'), 'growth'],
  ['/growth/placements/:id', () => import('./placements/placement'), 'growth'],
  ['/growth/domains', () => import('./domains/list'), 'domains', 'storeReasons'],
  ['/growth/assets', () => import('./assets/assets'), 'files'],
  ['/growth/fonts', () => import('./assets/fonts'), 'files'],
  ['/growth/audiences', () => import('./audiences/list'), 'growth'],
  ['/growth/audiences/:id', () => import('./audiences/audience'), 'growth', 'subscribers'],
  ['/growth/funnels', () => import('./funnels/list'), 'funnels', 'funnelWords'],
  ['/growth/funnels/:id', () => import('./funnels/funnel'), 'funnels', 'funnelWords', 'funnelFaults'],
  ['/growth/funnels/sessions/:id', () => import('./funnels/session'), 'funnels', 'funnelWords'],
]
