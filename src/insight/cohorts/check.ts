import type { Fault } from '../../base/lib/matches'
import type { ProjectState } from '../../projects/project/state'
import { definitionFaults } from './definition'
import type { CohortDefinition } from './model'
import { nameFaults } from './names'

/** What people say of a cohort. */
export interface CohortInput {
  identifier: string
  name: string
  definition: CohortDefinition
}

/** Everything that is wrong with a cohort that is about to be saved. */
export const cohortFaults = (project: ProjectState | null, { definition, ...names }: CohortInput): Fault[] => [
  ...nameFaults(names),
  ...definitionFaults(definition, (productId) => project?.catalog.products.has(productId) ?? false),
]
