import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { parseJsonBytes } from '../../base/lib/json'
import { readBounces } from './bounces'
import { readBody } from './read-body'
import { hashAddress, suppress } from './suppression'
import { isFromProvider } from './webhook-signature'

const strict = { additionalProperties: false } as const
const Received = Type.Object(
  { data: Type.Object({ received: Type.Literal(true), duplicate: Type.Boolean() }, strict) },
  strict,
)

/** Reports of the mail provider about addresses that bounce or complain. */
export const mailWebhookRoutes = (ctx: Context) =>
  new Elysia().post(
    '/webhooks/mail/:provider',
    async ({ request, params }) => {
      await receiveReport(ctx, params.provider, request.headers, await readBody(ctx, request))
      return { data: { received: true as const, duplicate: false } }
    },
    {
      parse: 'none',
      params: Type.Object({ provider: Type.String({ maxLength: 100 }) }),
      response: Received,
      detail: {
        tags: ['Webhooks'],
        'x-errors': ['UNAUTHORIZED'],
        'x-always-found': true,
        security: [],
        summary: 'Bounces and complaints of mail',
        description:
          'The provider is the one of SVC_MAIL_WEBHOOK_SECRET. Addresses that do not exist get no more mail except about signing in; after a complaint an address gets no more optional mail. Repetitions change nothing.',
        operationId: 'receiveMailReport',
      },
    },
  )

/** 401 for another provider than the configured one: so the answers do not show which one that is. */
async function receiveReport(ctx: Context, provider: string, headers: Headers, bytes: Uint8Array): Promise<void> {
  const { webhook } = ctx.config.mail
  const body = parseJsonBytes(bytes)
  if (webhook?.provider !== provider || !isFromProvider(webhook, { headers, bytes, body }, ctx.clock.now()))
    throw new AppError('UNAUTHORIZED')
  const reports = readBounces(webhook.provider, body)
  if (!reports) throw invalid('The body is not a report of this provider')
  await suppress(
    ctx,
    reports.map(({ address, reason }) => ({ addressHash: hashAddress(address), reason })),
  )
}
