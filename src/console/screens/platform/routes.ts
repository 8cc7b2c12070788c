import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/platform', () => import('./figures'), 'platform'],
  ['/platform/projects', () => import('./projects'), 'platform'],
  ['/platform/projects/:id', () => import('./project'), 'platform'],
  ['/platform/users', () => import('./users'), 'platform'],
  ['/platform/support-grants', () => import('./support-grants'), 'platform'],
  ['/platform/jobs', () => import('./jobs'), 'platform'],
  ['/platform/outbox', () => import('./outbox'), 'platform'],
  ['/platform/certificates', () => import('./certificates'), 'platform', 'domains', 'storeReasons'],
  ['/platform/audit-log', () => import('./audit-log'), 'platform', 'settings'],
]
