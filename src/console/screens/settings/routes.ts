import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/settings', () => import('./project'), 'settings'],
  ['/settings/api-keys', () => import('./api-keys'), 'settings'],
  ['/settings/members', () => import('./members'), 'settings'],
  ['/settings/notifications', () => import('./notifications'), 'settings', 'account'],
  ['/settings/assistant', () => import('./assistant-inbox'), 'intents'],
  ['/settings/assistant/model', () => import('./assistant-model'), 'assistant'],
  ['/settings/usage', () => import('./usage'), 'settings'],
  ['/settings/billing', () => import('./billing/billing'), 'settings', 'usage', 'billing'],
  ['/settings/audit-log', () => import('./audit-log'), 'settings'],
  ['/settings/project-file', () => import('./project-file'), 'settings'],
  ['/settings/support', () => import('./support'), 'settings'],
  ['/settings/danger', () => import('./danger'), 'settings'],
]
