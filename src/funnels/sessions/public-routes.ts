import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { actionOfValue } from '../../core/funnel/step'
import { beginRoutes } from './begin-routes'
import { answersOf } from './counted'
import { currentPage } from './current-page'
import { factsOfSession } from './hooks'
import { visitors } from './limits'
import { funnelOfCall } from './open-funnel'
import { presentedSession } from './presented'
import { answerSession, refuseFaults } from './save-answers'
import { secretOf, sessionParameter } from './secret'
import { shownFunnel, wantedLocale } from './shown-funnel'
import { passPaidPages, stepSession } from './step'
import { visitorOf } from './visitor'
import {
  AdvanceBody,
  AdvancedAnswer,
  AnswersBody,
  BackAnswer,
  BackBody,
  FunnelAnswer,
  FunnelQuery,
  SavedAnswer,
  SessionParams,
  SlugParams,
  StateAnswer,
} from './wire'

const tags = ['Funnel visitors']
const parameters = [sessionParameter]

/** What a page of one's own calls to lead a visitor through a funnel (wire 7.16, funnels 3 and 4). */
export const publicFunnelRoutes = (ctx: Context) =>
  new Elysia().use(readRoutes(ctx)).use(beginRoutes(ctx)).use(answerRoutes(ctx)).use(stepRoutes(ctx))

const readRoutes = (ctx: Context) =>
  visitors(ctx, 'state')
    .get(
      '/public/funnels/:slug',
      async ({ params, query, request }) => {
        const open = await funnelOfCall(ctx, request, query, params.slug)
        const locale = wantedLocale(query.locale) ?? visitorOf(ctx, request).language
        return { data: await shownFunnel(ctx, open, { hostname: query.hostname, locale }) }
      },
      {
        params: SlugParams,
        query: FunnelQuery,
        response: FunnelAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND'],
          summary: 'A published funnel and what it sells',
          description: 'Nothing is made at the payment provider by reading it.',
          operationId: 'getPublicFunnel',
        },
      },
    )
    .get(
      '/public/funnel-sessions/:id/state',
      async ({ params, request }) => {
        const presented = await presentedSession(ctx, params.id, secretOf(request, params.id))
        const { session, document } = await passPaidPages(ctx, presented)
        const { payment, hasClaimToken } = await factsOfSession(ctx, session)
        return {
          data: {
            current_page_id: currentPage(document, session).id,
            path: session.path,
            answers: await answersOf(ctx, session.id),
            ...{ state: session.state, payment, has_claim_token: hasClaimToken },
            ...{ locale: session.locale, version_no: session.versionNo },
          },
        }
      },
      {
        params: SessionParams,
        response: StateAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND'],
          summary: 'Where a visitor is',
          description: 'With it a page goes on after it was closed. The session presents its cookie or its token.',
          parameters,
          operationId: 'getFunnelSessionState',
        },
      },
    )

const answerRoutes = (ctx: Context) =>
  visitors(ctx, 'answer').post(
    '/public/funnel-sessions/:id/answers',
    async ({ params, body, request }) => {
      const presented = await presentedSession(ctx, params.id, secretOf(request, params.id))
      await answerSession(ctx, presented, body.page_id, body.answers)
      return { data: { saved: true as const } }
    },
    {
      params: SessionParams,
      body: AnswersBody,
      response: SavedAnswer,
      detail: {
        tags,
        'x-errors': ['NOT_FOUND', 'CONFLICT', 'FEATURE_NOT_CONFIGURED'],
        summary: 'Save answers of a page',
        description:
          'Of the current page or of one in the path. 400 names every field that is refused, 409 the current page for another one. A paid session takes no answers.',
        parameters,
        'x-example-request': { page_id: 'goal', answers: { goal: 'sleep' } },
        operationId: 'answerFunnelSession',
      },
    },
  )

const stepRoutes = (ctx: Context) =>
  visitors(ctx, 'advance')
    .post(
      '/public/funnel-sessions/:id/advance',
      async ({ params, body, request }) => {
        const presented = await presentedSession(ctx, params.id, secretOf(request, params.id))
        const step = { pageId: body.page_id, action: actionOfValue(body.action ?? 'next'), given: {} }
        const { session, kind, faults } = await stepSession(ctx, presented, step)
        refuseFaults(faults)
        const page = currentPage(presented.document, session)
        if (kind === 'end') return { data: { next: 'end' as const } }
        return { data: { next: page.type === 'payment' ? ('payment' as const) : ('page' as const), page_id: page.id } }
      },
      {
        params: SessionParams,
        body: AdvanceBody,
        response: AdvancedAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT'],
          summary: 'Go on from a page',
          description:
            'The rules of the page choose the next one. 400 names a required field without an answer; 409 has the current page when the visitor is on another one.',
          parameters,
          'x-example-request': { page_id: 'goal' },
          operationId: 'advanceFunnelSession',
        },
      },
    )
    .post(
      '/public/funnel-sessions/:id/back',
      async ({ params, body, request }) => {
        const presented = await presentedSession(ctx, params.id, secretOf(request, params.id))
        const step = { pageId: body.page_id ?? null, action: { type: 'back' as const }, given: {} }
        const { session } = await stepSession(ctx, presented, step)
        return { data: { page_id: currentPage(presented.document, session).id } }
      },
      {
        params: SessionParams,
        body: BackBody,
        response: BackAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT'],
          summary: 'Go back to the page before',
          description: 'On the first page, and right after a payment, the visitor stays.',
          parameters,
          'x-example-request': {},
          operationId: 'goBackInFunnelSession',
        },
      },
    )
