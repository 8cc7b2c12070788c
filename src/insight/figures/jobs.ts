import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { prepareUsualAnswers } from './kept/usual'
import { rebuildProjects } from './rebuild-projects'

export const rebuild = defineJob({
  name: 'figures.rebuild',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx, _payload, isStopping) => rebuildProjects(ctx, isStopping),
})

const prepare = defineJob({
  name: 'figures.prepare',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx, _payload, isStopping) => prepareUsualAnswers(ctx, isStopping),
})

/**
 * Every minute: figures of projects whose products or commission rates have changed, if a server did not see it at once.
 * Every ten: numbers of people in the usual windows.
 */
export const figureCron = [
  cronLine({ name: 'rebuild-figures', pattern: '* * * * *', job: rebuild }),
  cronLine({ name: 'prepare-figures', pattern: '*/10 * * * *', job: prepare }),
]
