import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { dataAnswer } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import { htmlBlockAnswer } from '../publication/html-blocks'
import { canvasRoute } from './canvas'
import { PREVIEW_PATH } from './links'
import { previewedBlock, previewLink, previewPage } from './service'
import { MAX_LIFE } from './token'

const strict = { additionalProperties: false } as const

const LinkBody = Type.Object(
  {
    version: Type.Union([Type.Literal('draft'), Type.Integer({ minimum: 1 })], {
      description: 'A version, or the draft',
    }),
    locale: Type.Optional(
      Type.String({ minLength: 2, maxLength: 35, description: 'Default: the language of the browser' }),
    ),
    expiresIn: Type.Optional(
      Type.Integer({ minimum: 60, maximum: MAX_LIFE / 1000, description: 'Seconds; default one day, at most 7 days' }),
    ),
  },
  { ...strict, title: 'FunnelPreviewRequest' },
)

const LinkSchema = Type.Object(
  { url: Type.String(), expiresAt: Type.String() },
  { ...strict, title: 'FunnelPreviewLink' },
)

const DAY_SECONDS = 86_400

/** Links to a draft or a version for people without an account (funnels 10). */
export const previewOperatorRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).post(
    '/funnels/:id/preview-link',
    async ({ project, params, body: { version, locale = null, expiresIn = DAY_SECONDS } }) => ({
      data: await previewLink(ctx, {
        projectId: project.id,
        funnelId: params.id,
        version,
        locale,
        lifeMs: expiresIn * 1000,
      }),
    }),
    {
      body: LinkBody,
      response: dataAnswer(LinkSchema),
      detail: {
        tags: ['Funnels'],
        summary: 'A link that shows a version or the draft',
        description: 'Whoever has the link sees the pages. It makes no session, saves no answer and charges nothing.',
        operationId: 'createFunnelPreviewLink',
      },
    },
  )

/** The pages behind such a link, their `html` blocks, and the frame of the editor. */
export const previewPageRoutes = (ctx: Context) =>
  new Elysia().use(pageRoute(ctx)).use(blockRoute(ctx)).use(canvasRoute(ctx))

const blockRoute = (ctx: Context) =>
  new Elysia().get(
    `${PREVIEW_PATH}/block/:hash`,
    async ({ request, params }) => {
      const token = new URL(request.url).searchParams.get('token') ?? ''
      const source = await previewedBlock(ctx, token, params.hash)
      return source === null ? pageAnswer(GONE, ctx.ids.token(22), 404) : htmlBlockAnswer(source)
    },
    { detail: { hide: true } },
  )

const pageRoute = (ctx: Context) =>
  new Elysia().get(
    PREVIEW_PATH,
    async ({ request }) => {
      const nonce = ctx.ids.token(22)
      const languages = request.headers.get('accept-language')
      const shown = await previewPage(ctx, new URL(request.url).searchParams, languages, nonce)
      return shown === null ? pageAnswer(GONE, nonce, 404) : pageAnswer(shown.html, nonce, 200, shown.hasScripts)
    },
    { detail: { hide: true } },
  )

const GONE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>No preview</title></head><body><h1>This preview has ended</h1><p>Ask the person who sent you the link for a new one.</p></body></html>'

/** The policy of `/f/` (funnels 9); a preview has no script but that of animations. */
const policyOf = (nonce: string, hasScripts: boolean): string =>
  `default-src 'none'; ${hasScripts ? "script-src 'self'; connect-src 'self'; " : ''}style-src 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; media-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'`

const pageAnswer = (html: string, nonce: string, status = 200, hasScripts = false): Response =>
  new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policyOf(nonce, hasScripts),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  })
