import { exposureRows, readExposures } from '../exposures'
import { ownGroupChart } from '../own-groups'

export const experimentConversion = ownGroupChart({
  id: 'experiment-conversion',
  title: 'Exposure and conversion of experiments',
  unit: 'count',
  definition:
    'Subscribers who were first exposed to an experiment in the cell, and those of them who have converted by now as its results count it: by an event of a client or, where purchases are a metric, by buying while it ran. The groups are the variants as key/variant, without being asked for. Name a group to open its rows.',
  formula: 'numbers of first exposures and of those that converted',
  valueNames: ['exposed', 'converted'],
  read: readExposures,
  valuesOf: ({ exposed = 0, converted = 0 }) => ({ exposed, converted }),
  rows: { exposed: exposureRows('EXPOSED'), converted: exposureRows('CONVERTED') },
})
