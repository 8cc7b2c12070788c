import type { DayCounts } from './meters'

/** With fewer days there is no forecast. */
const LEAST_DAYS = 3

/**
 * In how many days a disk is full when its free bytes become fewer as they did over the days given; by least squares. Null
 * when they do not become fewer, or when too few days are known. 100 free bytes that were 130 three days ago give 10.
 */
export function daysUntilFull(freeByDay: DayCounts, freeNow: number): number | null {
  const points = [...freeByDay]
  const count = points.length
  if (count < LEAST_DAYS) return null
  const mean = (of: (point: [day: number, free: number]) => number) =>
    points.reduce((sum, one) => sum + of(one), 0) / count
  const [meanDay, meanFree] = [mean(([day]) => day), mean(([, free]) => free)]
  const covariance = mean(([day, free]) => (day - meanDay) * (free - meanFree))
  const variance = mean(([day]) => (day - meanDay) ** 2)
  const lostPerDay = variance === 0 ? 0 : -covariance / variance
  return lostPerDay > 0 ? freeNow / lostPerDay : null
}
