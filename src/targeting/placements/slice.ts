import { slice } from '../../base/slice'
import { placementAudienceUsers } from './audience-users'
import { placementExamination } from './doctor'
import { loadPlacementSnapshot } from './load'
import { placementSection } from './project-file/section'
import { placementRoutes } from './routes'
import { searchPlacements } from './search'
import type { PlacementSnapshot } from './snapshot'
import { placementTables } from './tables'

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
  tables: placementTables,
  cachedRows: { placements: 'NOBODY' },
  projectParts: {
    placements: ({ handle, log, projectId, part }) =>
      loadPlacementSnapshot(handle, log, projectId, Promise.all([part('catalog'), part('remote')])),
  },
  audienceUsers: placementAudienceUsers,
  searchObjects: searchPlacements,
  routes: placementRoutes,
  doctor: placementExamination,
})
