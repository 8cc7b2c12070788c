import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { rebuildProjects } from './rebuild-projects'

const rebuild = defineJob({
  name: 'figures.rebuild',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx, _payload, isStopping) => rebuildProjects(ctx, isStopping),
})

/** Every minute: figures of projects whose products or commission rates have changed. */
export const figureCron = [cronLine({ name: 'rebuild-figures', pattern: '* * * * *', job: rebuild })]
