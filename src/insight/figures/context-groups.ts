/** Longer texts are no names of ours. */
const LONGEST = 128

/** The groups that a purchase belongs to by what its app says was shown before. Apps write it, so it is not trusted. */
export function contextGroups(context: Readonly<Record<string, unknown>> | null) {
  const named = (member: string): string | null => {
    const value = context?.[member]
    return typeof value === 'string' && value !== '' && value.length <= LONGEST ? value : null
  }
  const [experiment, variant] = [named('experimentKey'), named('variantId')]
  return {
    offering: named('offeringIdentifier'),
    placement: named('placementId'),
    variant: experiment !== null && variant !== null ? `${experiment}:${variant}` : variant,
  }
}
