/** All time zones that the browser knows, and the one that is chosen now. */
export function useTimeZones(chosen: string): readonly (readonly [value: string, label: string])[] {
  const known = Intl.supportedValuesOf('timeZone')
  return [...new Set(['UTC', chosen, ...known])].filter(Boolean).map((zone) => [zone, zone.replaceAll('_', ' ')])
}
