import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/charts', () => import('./gallery')],
  ['/charts/sql', () => import('./sql')],
  ['/charts/cohorts', () => import('./cohorts')],
  ['/charts/cohorts/:id', () => import('./cohort')],
  ['/charts/leaderboards', () => import('./leaderboards')],
  ['/charts/leaderboards/:id', () => import('./leaderboard')],
  ['/charts/:id', () => import('./chart')],
]
