import type { ChartAbout } from '../../src/insight/charts/chart'

const UNITS = { USD: 'US dollars', count: 'a number', share: 'a share', ratio: 'a ratio', ms: 'milliseconds' }

/** How the guide describes a chart. */
export const guideLine = ({ id, title, unit, definition, formula }: ChartAbout): string =>
  `- \`${id}\`: ${title}, ${UNITS[unit]}. ${definition} Formula: ${formula}.`
