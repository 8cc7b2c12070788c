import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/subscribers', () => import('./people'), 'subscribers'],
  ['/subscribers/transfers', () => import('./transfers'), 'subscribers'],
  ['/subscribers/data-requests', () => import('./data-requests'), 'subscribers', 'storeReasons'],
  ['/subscribers/:id', () => import('./person'), 'subscribers'],
]
