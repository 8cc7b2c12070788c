import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/settings', () => import('./project')],
  ['/settings/api-keys', () => import('./api-keys')],
  ['/settings/members', () => import('./members')],
  ['/settings/notifications', () => import('./notifications')],
  ['/settings/audit-log', () => import('./audit-log')],
  ['/settings/project-file', () => import('./project-file')],
  ['/settings/support', () => import('./support')],
  ['/settings/danger', () => import('./danger')],
]
