import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { factsOf } from '../../base/http/request'
import { creationOf } from '../../people/subscribers/creation'
import { checkDeviceKey, deviceKeyOf } from '../../people/subscribers/device-key'
import { subscriberOfDevice } from '../../people/subscribers/service'
import { api } from '../../projects/doors/api'
import { expose } from './exposures'
import { resultsReader } from './results'
import { track } from './track'
import {
  ExperimentParams,
  ExposeAnswer,
  ExposeBody,
  ResultsAnswer,
  readEvents,
  readTime,
  TrackAnswer,
  TrackBody,
  TrackQuery,
  toResultsView,
} from './wire'

const tags = ['Experiments']

/** Devices report events and exposures; the server of the customer reads results. */
export const experimentRoutes = (ctx: Context) => new Elysia().use(deviceRoutes(ctx)).use(serverRoutes(ctx))

const deviceRoutes = (ctx: Context) =>
  api(ctx, { key: 'any' })
    .post(
      '/experiments/track',
      async ({ project, request, query, body }) => {
        const { headers } = request
        const events = readEvents(body)
        const deviceKey = deviceKeyOf('config', headers, query)
        const subscriber = await subscriberOfDevice(ctx, project.id, deviceKey, creationOf(ctx, request))
        return { data: { recorded: await track(ctx, project, subscriber, events, factsOf(request).id) } }
      },
      {
        query: TrackQuery,
        body: TrackBody,
        response: TrackAnswer,
        detail: {
          tags,
          'x-identity': 'config',
          'x-errors': ['SUBSCRIBER_UNRESOLVABLE'],
          summary: 'Track events that may convert',
          description:
            'The first event of a type in the metrics of an experiment, at or after the exposure, converts. Send an Idempotency-Key: a repetition is saved again without one. A key that no experiment has converts nothing.',
          operationId: 'trackExperimentEvents',
        },
      },
    )
    .post(
      '/experiments/:id/expose',
      async ({ project, request, params, body }) => {
        const { variantId, subscriberId, placementId = null, platform = null, country = null } = body
        await expose(ctx, project, {
          experiment: params.id,
          deviceKey: checkDeviceKey(subscriberId.trim(), 'subscriberId'),
          ...{ variantId, placementId, platform, country: country?.toUpperCase() ?? null },
          exposedAt: readTime(body.exposedAt ?? null, 'exposedAt'),
          creation: creationOf(ctx, request),
          requestId: factsOf(request).id,
        })
        return { data: { accepted: true as const } }
      },
      {
        params: ExperimentParams,
        body: ExposeBody,
        response: ExposeAnswer,
        detail: {
          tags,
          'x-errors': ['EXPERIMENT_NOT_RUNNING', 'exposure_out_of_range', 'SUBSCRIBER_UNRESOLVABLE'],
          summary: 'Tell that a variant was shown',
          description:
            'Counts once for each experiment and subscriber; repetitions change nothing. Another variant than the one that the subscriber holds is refused.',
          operationId: 'exposeExperiment',
        },
      },
    )

function serverRoutes(ctx: Context) {
  const read = resultsReader(ctx)
  return api(ctx, { key: 'secret' }).get(
    '/experiments/:id/results',
    async ({ project, params }) => ({ data: toResultsView(await read(project, params.id)) }),
    {
      params: ExperimentParams,
      response: ResultsAnswer,
      detail: {
        tags,
        'x-errors': ['ANALYTICS_UNAVAILABLE', 'CONFLICT'],
        summary: 'How an experiment stands',
        description:
          'Purchases in production, made after the exposure while the experiment ran, are joined to it: they convert where the metrics name purchase, and are the revenue, less what was given back of them.',
        operationId: 'getExperimentResults',
      },
    },
  )
}
