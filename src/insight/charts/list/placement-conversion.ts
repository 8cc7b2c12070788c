import { ownGroupChart } from '../own-groups'
import { placementRows, readPlacements } from '../placement-exposures'

export const placementConversion = ownGroupChart({
  id: 'placement-conversion',
  title: 'Exposure and purchases of placements',
  unit: 'count',
  definition:
    'Subscribers who were first exposed to an experiment in the cell where the app named a placement of the project, and those of them who bought in production afterwards, by now, with a receipt that names the same placement. The groups are the placements, without being asked for. Name a group to open its rows.',
  formula: 'numbers of exposures at a placement and of those followed by a purchase there',
  valueNames: ['shown', 'bought'],
  read: readPlacements,
  valuesOf: ({ shown = 0, bought = 0 }) => ({ shown, bought }),
  rows: { shown: placementRows('SHOWN'), bought: placementRows('BOUGHT') },
})
