import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/connections', () => import('./stores/stores')],
  ['/connections/stores/:store', () => import('./stores/store')],
  ['/connections/webhooks', () => import('./webhooks/endpoints')],
  ['/connections/webhooks/:id', () => import('./webhooks/endpoint')],
  ['/connections/deliveries', () => import('./deliveries/deliveries')],
  ['/connections/deliveries/:id', () => import('./deliveries/delivery')],
  ['/connections/events', () => import('./events/events')],
  ['/connections/integrations', () => import('./integrations/integrations')],
  ['/connections/integrations/:id', () => import('./integrations/integration')],
  ['/connections/forwarding', () => import('./forwarding/forwarding')],
  ['/connections/store-events', () => import('./store-events/store-events')],
  ['/connections/imports', () => import('./imports/imports')],
  ['/connections/imports/:id', () => import('./imports/import')],
  ['/connections/comparisons', () => import('./comparisons/comparisons')],
  ['/connections/comparisons/:id', () => import('./comparisons/comparison')],
  ['/connections/data-exports', () => import('./exports/exports')],
]
