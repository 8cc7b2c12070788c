import type { ProjectState } from '../../projects/project/state'

/** The parts of a project that name what a purchase can have been shown by. */
export type GroupNames = Pick<ProjectState, 'catalog' | 'placements' | 'remote'>

/** The groups of a purchase by what its app reported as shown before it, in the project's own names. */
export interface ContextGroups {
  offering: string | null
  placement: string | null
  variant: string | null
}

/**
 * The groups of a presented context. Any device can send any text, so only what the project has is a group: an offering
 * and a placement by identifier or id, a variant of an experiment by key or id. Everything else is null.
 */
export function contextGroups(context: Readonly<Record<string, unknown>> | null, project: GroupNames): ContextGroups {
  const textOf = (member: string): string | null => {
    const value = context?.[member]
    return typeof value === 'string' && value !== '' ? value : null
  }
  return {
    offering: offeringOf(project, textOf('offeringIdentifier')),
    placement: placementOf(project, textOf('placementId')),
    variant: variantOf(project, textOf('experimentKey'), textOf('variantId')),
  }
}

function offeringOf({ catalog }: GroupNames, name: string | null): string | null {
  const found = name === null ? undefined : catalog.offerings.find((one) => one.identifier === name || one.id === name)
  return found?.identifier ?? null
}

function placementOf({ placements: { placements } }: GroupNames, name: string | null): string | null {
  if (name === null) return null
  return (placements.get(name) ?? placements.values().find(({ id }) => id === name))?.identifier ?? null
}

/** `key:variant`; the variant alone when the app names no experiment, and some experiment has it. */
function variantOf({ remote }: GroupNames, experiment: string | null, variant: string | null): string | null {
  if (variant === null) return null
  const named = remote.experiments.filter(
    ({ id, key, variants }) =>
      (experiment === null || key === experiment || id === experiment) && variants.some((one) => one.id === variant),
  )
  const [found] = named
  if (!found) return null
  return experiment === null ? variant : `${found.key}:${variant}`
}

/** Whether a group that an entry has is one that `contextGroups` makes. */
export function isContextGroup(project: GroupNames, name: keyof ContextGroups, value: string): boolean {
  if (name === 'offering') return offeringOf(project, value) === value
  if (name === 'placement') return placementOf(project, value) === value
  const at = value.indexOf(':')
  const isAlone = variantOf(project, null, value) === value
  return isAlone || (at > 0 && variantOf(project, value.slice(0, at), value.slice(at + 1)) === value)
}
