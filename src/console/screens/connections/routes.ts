import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/connections', () => import('./stores/stores'), 'connections'],
  ['/connections/stores/:store', () => import('./stores/store'), 'connections'],
  ['/connections/webhooks', () => import('./webhooks/endpoints'), 'connections'],
  ['/connections/webhooks/:id', () => import('./webhooks/endpoint'), 'connections', 'deliveryReasons'],
  ['/connections/deliveries', () => import('./deliveries/deliveries'), 'connections', 'deliveryReasons'],
  ['/connections/deliveries/:id', () => import('./deliveries/delivery'), 'connections', 'deliveryReasons'],
  ['/connections/events', () => import('./events/events'), 'connections'],
  ['/connections/integrations', () => import('./integrations/integrations'), 'connections'],
  ['/connections/integrations/:id', () => import('./integrations/integration'), 'connections', 'deliveryReasons'],
  ['/connections/forwarding', () => import('./forwarding/forwarding'), 'connections'],
  ['/connections/former-sdk', () => import('./former-sdk/former-sdk'), 'moving'],
  [
    '/connections/store-events',
    () => import('./store-events/store-events'),
    'connections',
    'subscribers',
    'storeReasons',
  ],
  ['/connections/imports', () => import('./imports/imports'), 'moving'],
  ['/connections/imports/:id', () => import('./imports/import'), 'moving', 'catalogue', 'storeReasons'],
  ['/connections/comparisons', () => import('./comparisons/comparisons'), 'moving'],
  ['/connections/comparisons/:id', () => import('./comparisons/comparison'), 'moving', 'storeReasons'],
  ['/connections/data-exports', () => import('./exports/exports'), 'moving', 'storeReasons'],
]
