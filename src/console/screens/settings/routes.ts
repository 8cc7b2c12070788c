import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/settings', () => import('./project'), 'settings'],
  ['/settings/api-keys', () => import('./api-keys'), 'settings'],
  ['/settings/members', () => import('./members'), 'settings'],
  ['/settings/notifications', () => import('./notifications'), 'settings', 'account'],
  ['/settings/audit-log', () => import('./audit-log'), 'settings'],
  ['/settings/project-file', () => import('./project-file'), 'settings'],
  ['/settings/support', () => import('./support'), 'settings'],
  ['/settings/danger', () => import('./danger'), 'settings'],
]
