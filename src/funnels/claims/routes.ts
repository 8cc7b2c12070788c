import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { countLimit } from '../../base/http/count-limit'
import { dataAnswer } from '../../base/http/object-answer'
import { callerAddress, factsOf } from '../../base/http/request'
import { isMailAddress } from '../../core/text/addresses'
import { AccessMapSchema } from '../../people/subscribers/access-map'
import { creationOf } from '../../people/subscribers/creation'
import { checkDeviceKey } from '../../people/subscribers/device-key'
import { api } from '../../projects/doors/api'
import { claimToken } from './claim'
import { requestMail } from './email-claim'
import { claimInstall } from './install'

const strict = { additionalProperties: false } as const
const CLAIMS_PER_MINUTE = 30
const tags = ['Funnels']

const TokenBody = Type.Object(
  {
    token: Type.String({ minLength: 40, maxLength: 64, description: 'From the link that opened the app' }),
    anon_id: Type.String({ minLength: 1, maxLength: 128, description: 'The device key', examples: ['svc_8fK2mQ7xLw'] }),
  },
  { additionalProperties: true, title: 'FunnelTokenClaim' },
)

const Answers = Type.Record(Type.String(), Type.Unknown(), { description: 'The answers of the funnel by field' })

const Claimed = Type.Object(
  {
    subscriber_id: Type.String(),
    entitlements: Type.Array(Type.String(), { description: 'Identifiers of what the subscriber may use now' }),
    funnel_answers: Answers,
    access: AccessMapSchema,
    subscriberId: Type.String({ description: 'As subscriber_id' }),
    funnelAnswers: Answers,
  },
  { ...strict, title: 'FunnelClaim' },
)

/** The limit of all claims of a client address together (wire 6). */
export async function countClaim(
  ctx: Context,
  { request, set }: { request: Request; set: { headers: Record<string, string | number> } },
): Promise<void> {
  const facts = factsOf(request)
  const address = callerAddress(ctx, request, facts)
  countLimit(ctx, facts, set.headers, await ctx.state.limits.hit('claims', address, CLAIMS_PER_MINUTE, ctx.clock.now()))
}

/** How an app gets what was bought in a funnel (wire 2.16). */
export const claimRoutes = (ctx: Context) => new Elysia().use(tokenRoutes(ctx)).use(installRoutes(ctx))

/** A repetition of a claim is answered by claiming again. */
const tokenRoutes = (ctx: Context) =>
  api(ctx, { key: 'any', idempotency: { mayRunBeside: true, rendersReplay: true } }).post(
    '/subscribers/claim-funnel-token',
    async ({ project, body, request, set }) => {
      await countClaim(ctx, { request, set })
      const { token } = body
      const deviceKey = checkDeviceKey(body.anon_id, 'anon_id')
      const order = { token, deviceKey, creation: creationOf(ctx, request), requestId: factsOf(request).id }
      const { subscriberId, access, answers } = await claimToken(ctx, project, order)
      const entitlements = Object.keys(access).sort()
      const inSnakeCase = { subscriber_id: subscriberId, entitlements, funnel_answers: answers, access }
      return { data: { ...inSnakeCase, subscriberId, funnelAnswers: answers } }
    },
    {
      body: TokenBody,
      response: dataAnswer(Claimed),
      detail: {
        tags,
        summary: 'Claim what was bought in a funnel',
        description:
          'Gives the purchase and the answers of a paid funnel to the device. The same subscriber gets the same answer again. An expired token is 410; a new one comes by `POST /v1/sdk/claim-via-email`.',
        operationId: 'claimFunnelToken',
        'x-errors': ['NOT_FOUND', 'HTTP_ERROR', 'CONFLICT', 'PAYMENT_NOT_SETTLED_YET', 'SUBSCRIBER_UNRESOLVABLE'],
      },
    },
  )

const short = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }))

const InstallBody = Type.Object(
  {
    platform: Type.Union([Type.Literal('ios'), Type.Literal('android')]),
    install_id: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Permanent id of the install',
      examples: ['svc_8fK2mQ7xLw'],
    }),
    locale: short(16, 'The language of the device'),
    timezone: short(64, 'Accepted and not used'),
    screen_dims: short(16, 'Accepted and not used'),
    device_model: short(64, 'Accepted and not used'),
    install_referrer: short(2048, 'As Google Play hands it over'),
  },
  { additionalProperties: true, title: 'FunnelInstallClaim' },
)

const EmailBody = Type.Object(
  {
    email: Type.String({
      minLength: 3,
      maxLength: 254,
      description: 'The address that was bought with',
      examples: ['buyer@example.com'],
    }),
    install_id: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Permanent id of the install',
      examples: ['svc_8fK2mQ7xLw'],
    }),
  },
  { additionalProperties: true, title: 'FunnelEmailClaim' },
)

const NothingAnswer = dataAnswer(Type.Null())
const NOTHING = { data: null }

/** Ways to a token for an app that was opened without a link. */
const installRoutes = (ctx: Context) =>
  api(ctx, { key: 'any', idempotency: { isSecret: true } })
    .post(
      '/sdk/claim-install',
      async ({ project, body, request, set }) => {
        await countClaim(ctx, { request, set })
        const address = callerAddress(ctx, request, factsOf(request))
        const { platform, install_id: installId, locale = null, install_referrer: referrer = null } = body
        const token = await claimInstall(ctx, project.id, { platform, installId, locale, referrer, address })
        if (token !== null) return { data: { token } }
        set.status = 404
        return NOTHING
      },
      {
        body: InstallBody,
        response: { 200: dataAnswer(Type.Object({ token: Type.String() }, strict)), 404: NothingAnswer },
        detail: {
          tags,
          summary: 'The funnel token of an app that was just installed',
          description:
            'On Android from the install referrer. On iOS only where the funnel has `settings.deferredMatch`, and only when exactly one visitor matches. Without a match the answer is 404 with `data: null`.',
          operationId: 'claimFunnelInstall',
        },
      },
    )
    .post(
      '/sdk/claim-via-email',
      async ({ project, body, request, set }) => {
        await countClaim(ctx, { request, set })
        if (!isMailAddress(body.email.trim())) throw invalid('email must be an e-mail address')
        await requestMail(ctx, project.id, body.email.trim(), 'APP')
        set.status = 202
        return NOTHING
      },
      {
        body: EmailBody,
        response: { 202: NothingAnswer },
        detail: {
          tags,
          summary: 'Mail the way into the app to a buyer',
          description:
            'The answer is the same for every address. Whoever has bought with it gets a mail with a link for each purchase, at most three mails an hour; older tokens of these purchases end.',
          operationId: 'claimFunnelEmail',
        },
      },
    )
