import { Type } from '@sinclair/typebox'
import type { Context } from '../../../base/context'
import { invalid } from '../../../base/errors'
import {
  isVisitorId,
  referrerHost,
  visitedProject,
  visitorOf,
  visitors,
  wantedLocale,
} from '../../../funnels/sessions/service'
import { EXPERIMENT_HEADER } from '../../experiments/header'
import { PlacementSchema } from '../wire'
import { newVisitor, shownTo } from './placed-funnel'

const strict = { additionalProperties: false } as const

const Query = Type.Object(
  {
    project: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The slug of the project' })),
    hostname: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'A domain of the project' })),
    visitor: Type.Optional(
      Type.String({ minLength: 8, maxLength: 64, description: 'Of an answer before; absent = a new visitor' }),
    ),
    locale: Type.Optional(Type.String({ maxLength: 35, description: 'BCP 47; default: the language of the browser' })),
    referrer: Type.Optional(Type.String({ maxLength: 2048, description: 'The address of the page before' })),
  },
  { additionalProperties: true },
)

const Answer = Type.Object(
  {
    data: Type.Object(
      { ...PlacementSchema.properties, visitor: Type.String({ description: 'Send it with the next calls' }) },
      { ...strict, title: 'WebPlacement' },
    ),
  },
  strict,
)

/** Members of the address that the call uses itself; the others are `query.*` for rules. */
const OWN = new Set(['project', 'hostname', 'visitor', 'locale', 'referrer'])
const MOST_MEMBERS = 50

/** What a placement shows on the web (funnels 5). The server draws, so that one visitor always gets the same. */
export const webPlacementRoutes = (ctx: Context) =>
  visitors(ctx, 'state').get(
    '/public/placements/:identifier',
    async ({ params, query, request, set }) => {
      const project = await visitedProject(ctx, query)
      if (query.visitor !== undefined && !isVisitorId(query.visitor))
        throw invalid('visitor must be the id of an answer before: 8 to 64 letters, digits, underscores or dashes')
      const { country, language } = visitorOf(ctx, request)
      const asked = Object.entries(query as Record<string, string>).filter(([name]) => !OWN.has(name))
      const visitor = query.visitor ?? newVisitor(ctx)
      ctx.state.resolutions.count(project.id, params.identifier)
      const { answer, variantId } = await shownTo(
        ctx,
        project,
        {
          placement: params.identifier,
          ...{ visitor, country, language, referrer: referrerHost(query.referrer), sessionId: '' },
          query: Object.fromEntries(asked.slice(0, MOST_MEMBERS)),
        },
        visitor,
        wantedLocale(query.locale) ?? language,
      )
      if (answer.experiment && variantId !== null)
        set.headers[EXPERIMENT_HEADER] = `${answer.experiment.key}:${variantId}`
      return { data: { ...answer, visitor } }
    },
    {
      params: Type.Object(
        { identifier: Type.String({ maxLength: 255, description: 'The identifier of the placement' }) },
        { additionalProperties: true },
      ),
      query: Query,
      response: Answer,
      detail: {
        tags: ['Funnel visitors'],
        summary: 'What stands in a placement, on the web',
        description:
          'An experiment has the one variant that the server has drawn for the visitor. Begin the session with placement, visitor and variantId; that writes the exposure. Rules ask for query.*, country, language, platform and referrer.host.',
        operationId: 'getWebPlacement',
        'x-errors': ['NOT_FOUND'],
        'x-experiment': true,
      },
    },
  )
