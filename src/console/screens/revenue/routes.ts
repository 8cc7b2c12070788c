import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/revenue', () => import('./subscriptions')],
  ['/revenue/transactions', () => import('./transactions')],
  ['/revenue/renewals', () => import('./renewals')],
  ['/revenue/billing-issues', () => import('./billing-issues')],
  ['/revenue/scheduled', () => import('./scheduled')],
  ['/revenue/refund-shield', () => import('./refund-shield')],
]
