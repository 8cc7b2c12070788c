import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/subscribers', () => import('./people')],
  ['/subscribers/transfers', () => import('./transfers')],
  ['/subscribers/data-requests', () => import('./data-requests')],
  ['/subscribers/:id', () => import('./person')],
]
