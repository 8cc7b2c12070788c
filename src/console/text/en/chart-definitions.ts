import type { ChartId } from '../../../core/chart/ids'

/** What each chart counts. English comes from the server, and every other language has a sentence for each chart. */
export const texts: { of: Readonly<Record<ChartId, string>> | null } = { of: null }
