import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/projects', () => import('./projects'), 'account', 'signIn'],
  ['/account', () => import('./profile'), 'account'],
  ['/account/security', () => import('./security'), 'account'],
  ['/account/sessions', () => import('./sessions'), 'account'],
  ['/account/tokens', () => import('./tokens'), 'account'],
  ['/account/notifications', () => import('./notifications'), 'account'],
  ['/account/notices', () => import('./notices'), 'account'],
]
