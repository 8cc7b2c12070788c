import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/platform', () => import('./figures')],
  ['/platform/projects', () => import('./projects')],
  ['/platform/projects/:id', () => import('./project')],
  ['/platform/users', () => import('./users')],
  ['/platform/support-grants', () => import('./support-grants')],
  ['/platform/jobs', () => import('./jobs')],
  ['/platform/outbox', () => import('./outbox')],
  ['/platform/audit-log', () => import('./audit-log')],
]
