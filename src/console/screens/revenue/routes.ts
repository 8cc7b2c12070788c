import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/revenue', () => import('./subscriptions'), 'revenue', 'subscribers'],
  ['/revenue/transactions', () => import('./transactions'), 'revenue', 'subscribers'],
  ['/revenue/renewals', () => import('./renewals'), 'revenue', 'subscribers'],
  ['/revenue/billing-issues', () => import('./billing-issues'), 'revenue', 'subscribers'],
  ['/revenue/scheduled', () => import('./scheduled'), 'revenue', 'subscribers', 'storeReasons'],
  ['/revenue/refund-shield', () => import('./refund-shield'), 'revenue', 'subscribers'],
]
