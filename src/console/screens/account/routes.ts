import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/projects', () => import('./projects')],
  ['/account', () => import('./profile')],
  ['/account/security', () => import('./security')],
  ['/account/sessions', () => import('./sessions')],
  ['/account/tokens', () => import('./tokens')],
  ['/account/notifications', () => import('./notifications')],
  ['/account/notices', () => import('./notices')],
]
