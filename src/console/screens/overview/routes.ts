import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [['/overview', () => import('./overview'), 'overview', 'findings']]
