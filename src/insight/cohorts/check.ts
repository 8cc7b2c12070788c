import type { Fault } from '../../core/text/fault'
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

/**
 * Everything that is wrong with what is about to be saved of a cohort. What is left out was checked when it was saved:
 * a product of its definition may be gone since.
 */
export const cohortFaults = (project: ProjectState | null, { definition, ...names }: Partial<CohortInput>): Fault[] => [
  ...nameFaults(names),
  ...(definition === undefined
    ? []
    : definitionFaults(definition, (productId) => project?.catalog.products.has(productId) ?? false)),
]
