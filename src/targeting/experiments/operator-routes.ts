import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer, listQuery } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import {
  createExperiment,
  deleteExperiment,
  findDecider,
  getExperimentView,
  listExperimentViews,
  updateExperiment,
} from './admin'
import { actionRoutes } from './operator-actions'
import { DecidedResultsAnswer, ExperimentBody, ExperimentPatch, ExperimentSchema, readInput } from './operator-wire'
import { resultsReader } from './results'
import { toResultsView } from './wire'

const tags = ['Targeting']
const Query = Type.Object(listQuery, { additionalProperties: false })

/** Experiments in the dashboard (wire 7.6). */
export const experimentOperatorRoutes = (ctx: Context) =>
  new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx)).use(actionRoutes(ctx))

function readRoutes(ctx: Context) {
  const results = resultsReader(ctx)
  return operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/experiments',
      async ({ project, query }) => {
        const scope = ['experiments', project.id]
        return { data: idList(await listExperimentViews(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: Query,
        response: listAnswer(ExperimentSchema),
        detail: { tags, summary: 'Experiments of the project', operationId: 'listExperiments' },
      },
    )
    .get(
      '/experiments/:id',
      async ({ project, params }) => ({ data: await getExperimentView(ctx, project.id, params.id) }),
      {
        response: dataAnswer(ExperimentSchema),
        detail: { tags, summary: 'One experiment', operationId: 'getExperiment' },
      },
    )
    .get(
      '/experiments/:id/results',
      async ({ project, params }) => {
        const view = toResultsView(await results(project, params.id))
        return { data: { ...view, decidedBy: await findDecider(ctx, project.id, view) } }
      },
      {
        response: DecidedResultsAnswer,
        detail: {
          tags,
          'x-errors': ['ANALYTICS_UNAVAILABLE'],
          summary: 'How an experiment stands',
          operationId: 'getResultsOfExperiment',
        },
      },
    )
}

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'experiments:write' })
    .post(
      '/experiments',
      async ({ project, actor, body, set }) => {
        set.status = 201
        return { data: await createExperiment(ctx, { projectId: project.id, actor }, readInput(body)) }
      },
      {
        body: ExperimentBody,
        response: { 201: dataAnswer(ExperimentSchema) },
        detail: {
          tags,
          'x-errors': ['UNKNOWN_REFERENCES', 'CONFLICT'],
          summary: 'Create an experiment',
          description: 'It is a DRAFT. A key names one experiment or one flag.',
          operationId: 'createExperiment',
        },
      },
    )
    .patch(
      '/experiments/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await updateExperiment(ctx, { projectId: project.id, actor, expected }, params.id, readInput(body)),
      }),
      {
        body: ExperimentPatch,
        response: dataAnswer(ExperimentSchema),
        detail: {
          tags,
          'x-errors': ['EXPERIMENT_STATE', 'UNKNOWN_REFERENCES', 'CONFLICT'],
          summary: 'Change an experiment',
          description: 'While it is a DRAFT or RUNNING. Key and type are fixed once it has started.',
          operationId: 'updateExperiment',
        },
      },
    )
    .delete(
      '/experiments/:id',
      async ({ project, actor, expected, params }) => {
        await deleteExperiment(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['EXPERIMENT_STATE', 'CONFLICT'],
          summary: 'Delete a DRAFT',
          operationId: 'deleteExperiment',
        },
      },
    )
