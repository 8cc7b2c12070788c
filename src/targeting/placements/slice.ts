import { slice } from '../../base/slice'
import { placementExamination } from './doctor'
import { placementAudienceUsers, searchPlacements } from './hooks'
import { loadPlacementSnapshot } from './load'
import { placementOperatorRoutes } from './operator-routes'
import { placementSection } from './project-file/section'
import { hasPlacement } from './queries'
import { Resolutions } from './resolutions'
import { placementRoutes } from './routes'
import type { PlacementSnapshot } from './snapshot'
import { placementTables } from './tables'
import { placedFunnel } from './web/placed-funnel'
import { webPlacementRoutes } from './web/routes'

declare module '../../base/state' {
  interface SliceState {
    resolutions: Resolutions
  }
}

declare module '../../projects/project/state' {
  interface ProjectParts {
    /** Placements and published funnels; a change of them changes no flag and no experiment. */
    placements: PlacementSnapshot
  }
}

export const placements = slice({
  name: 'placements',
  projectFile: [placementSection],
  tags: [{ name: 'Placements', description: 'What to show at a named place of an app.' }],
  isPlacement: hasPlacement,
  tables: placementTables,
  cachedRows: { placements: 'NOBODY', placementResolutions: 'NOBODY' },
  personalData: { placements: 'NOTHING', placementResolutions: 'NOTHING' },
  state: { resolutions: () => new Resolutions() },
  loops: [
    {
      name: 'placement resolutions',
      everyMs: 10_000,
      run: (ctx) => ctx.state.resolutions.flush(ctx),
      end: (ctx) => ctx.state.resolutions.flush(ctx),
    },
  ],
  projectParts: {
    placements: ({ handle, log, projectId, part }) =>
      loadPlacementSnapshot(handle, log, projectId, Promise.all([part('catalog'), part('remote')])),
  },
  audienceUsers: placementAudienceUsers,
  searchObjects: searchPlacements,
  placedFunnel,
  publicRoutes: webPlacementRoutes,
  routes: placementRoutes,
  operatorRoutes: placementOperatorRoutes,
  doctor: placementExamination,
})
