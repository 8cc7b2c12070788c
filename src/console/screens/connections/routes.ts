import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/connections', () => import('./stores/stores')],
  ['/connections/stores/:store', () => import('./stores/store')],
  ['/connections/webhooks', () => import('./webhooks/endpoints')],
  ['/connections/webhooks/:id', () => import('./webhooks/endpoint')],
  ['/connections/deliveries', () => import('./deliveries/deliveries')],
  ['/connections/deliveries/:id', () => import('./deliveries/delivery')],
  ['/connections/events', () => import('./events/events')],
]
