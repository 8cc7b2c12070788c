import { isConflict } from './failure'

/** The present revision of the object, from a refusal because another person has changed it; null for other errors. */
export function newerRevision(error: unknown): number | null {
  const revision = isConflict(error) ? error.details.revision : null
  return typeof revision === 'number' ? revision : null
}
