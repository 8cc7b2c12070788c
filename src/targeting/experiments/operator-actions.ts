import type { Context } from '../../base/context'
import { dataAnswer } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import {
  duplicateExperiment,
  pauseExperiment,
  resumeExperiment,
  startExperiment,
  stopExperimentNow,
} from './admin-actions'
import { ExperimentSchema, NoBody, StopBody } from './operator-wire'

const tags = ['Targeting']
const response = dataAnswer(ExperimentSchema)

/** What changes the status of an experiment. */
export const actionRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'experiments:write' })
    .post(
      '/experiments/:id/start',
      async ({ project, actor, expected, params }) => ({
        data: await startExperiment(ctx, { projectId: project.id, actor, expected }, params.id),
      }),
      {
        body: NoBody,
        response,
        detail: {
          tags,
          'x-errors': ['EXPERIMENT_STATE', 'UNKNOWN_REFERENCES', 'CONFLICT'],
          summary: 'Start a DRAFT',
          operationId: 'startExperiment',
        },
      },
    )
    .post(
      '/experiments/:id/pause',
      async ({ project, actor, expected, params }) => ({
        data: await pauseExperiment(ctx, { projectId: project.id, actor, expected }, params.id),
      }),
      {
        body: NoBody,
        response,
        detail: {
          tags,
          'x-errors': ['EXPERIMENT_STATE', 'CONFLICT'],
          summary: 'Pause an experiment',
          description: 'It is left out of the next answers.',
          operationId: 'pauseExperiment',
        },
      },
    )
    .post(
      '/experiments/:id/resume',
      async ({ project, actor, expected, params }) => ({
        data: await resumeExperiment(ctx, { projectId: project.id, actor, expected }, params.id),
      }),
      {
        body: NoBody,
        response,
        detail: {
          tags,
          'x-errors': ['EXPERIMENT_STATE', 'UNKNOWN_REFERENCES', 'CONFLICT'],
          summary: 'Resume an experiment',
          operationId: 'resumeExperiment',
        },
      },
    )
    .post(
      '/experiments/:id/stop',
      async ({ project, actor, expected, params, body }) => ({
        data: await stopExperimentNow(ctx, { projectId: project.id, actor, expected }, params.id, body),
      }),
      {
        body: StopBody,
        response,
        detail: {
          tags,
          'x-errors': ['EXPERIMENT_STATE', 'promote_requires_flag_experiment', 'UNKNOWN_REFERENCES', 'CONFLICT'],
          summary: 'Stop an experiment',
          description: 'This is final. With promoteToFlag the value of the winner becomes the default of a flag.',
          operationId: 'stopExperiment',
        },
      },
    )
    .post(
      '/experiments/:id/duplicate',
      async ({ project, actor, params, set }) => {
        set.status = 201
        return { data: await duplicateExperiment(ctx, { projectId: project.id, actor }, params.id) }
      },
      {
        body: NoBody,
        response: { 201: response },
        detail: {
          tags,
          summary: 'Copy an experiment',
          description: 'The copy is a DRAFT with another key.',
          operationId: 'duplicateExperiment',
        },
      },
    )
