import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/charts', () => import('./gallery'), 'charts'],
  ['/charts/sql', () => import('./sql'), 'charts'],
  ['/charts/cohorts', () => import('./cohorts'), 'charts'],
  ['/charts/cohorts/:id', () => import('./cohort'), 'charts'],
  ['/charts/leaderboards', () => import('./leaderboards'), 'charts'],
  ['/charts/leaderboards/:id', () => import('./leaderboard'), 'charts'],
  ['/charts/:id', () => import('./chart'), 'charts'],
]
