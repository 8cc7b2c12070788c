/** How many faults one answer names (wire 6). A body of 1 MiB could have a hundred thousand. */
export const MAX_FAULTS = 50
/** A fault can repeat a name from the body, which has any length. */
const MAX_CHARACTERS = 1000

/**
 * The first faults as one text, and how many more there are. `isComplete` is false when the list ends early and there
 * may be further faults that are not in it.
 */
export function faultsText(faults: readonly string[], { isComplete = true } = {}): string {
  const named = faults.slice(0, MAX_FAULTS).map(shortened).join('; ')
  const more = faults.length - MAX_FAULTS
  if (more <= 0) return named
  return `${named}; and ${isComplete ? '' : 'at least '}${more} more`
}

const shortened = (fault: string): string =>
  fault.length > MAX_CHARACTERS ? `${fault.slice(0, MAX_CHARACTERS)}…` : fault
