import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { invalid, requireVault } from '../../base/errors'
import { BodyFault, parseJsonObject } from '../../base/http/body'
import { readBody } from './read-body'
import { escapeHtml } from './render'
import { suppress } from './suppression'
import { readUnsubscribeToken } from './unsubscribe-token'

/** Asks before it does anything: opening a link must change nothing. */
const unsubscribePage = (token: string): string =>
  page(
    'Stop these mails?',
    `<p>You will get no more optional mails from this server. Mails about signing in are still sent.</p>
<form method="post" action="/unsubscribe?token=${escapeHtml(encodeURIComponent(token))}"><button>Stop these mails</button></form>`,
  )

const unsubscribedPage = (): string =>
  page('Done', '<p>You get no more optional mails. In your account you can turn them on again.</p>')

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>:root { color-scheme: light dark; } body { max-width: 32rem; margin: 4rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; } button { font: inherit; padding: 0.5rem 1rem; }</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`

const strict = { additionalProperties: false } as const
const Token = Type.String({ minLength: 1, maxLength: 200, description: 'From the link of the mail' })
const Query = Type.Object({ token: Type.Optional(Token) }, strict)
const Body = Type.Object({ token: Token }, strict)

// The description of what the handler reads and answers by itself.
const BODY_SHOWN = {
  type: 'object' as const,
  properties: { token: { type: 'string' as const, minLength: 1, maxLength: 200 } },
  required: ['token'],
  additionalProperties: false,
}
const ANSWER_SHOWN = {
  type: 'object' as const,
  properties: {
    data: {
      type: 'object' as const,
      properties: { unsubscribed: { type: 'boolean' as const, enum: [true] } },
      required: ['unsubscribed'],
      additionalProperties: false,
    },
  },
  required: ['data'],
  additionalProperties: false,
}

const tags = ['Notifications']

/**
 * The way out of optional mail. It needs no sign-in: the token of the mail is enough. A mail program sends one form
 * to the address of the header (RFC 8058); a person gets a page with a button, because programs that scan mail open
 * links, too.
 */
export const unsubscribeRoutes = (ctx: Context) =>
  new Elysia()
    .get('/unsubscribe', ({ query }) => htmlAnswer(unsubscribePage(addressedBy(ctx, query.token).token)), {
      query: Query,
      detail: {
        tags,
        'x-door': 'public',
        'x-errors': ['FEATURE_NOT_CONFIGURED'],
        security: [],
        summary: 'The page behind the link of a mail',
        operationId: 'showUnsubscribe',
      },
    })
    .post(
      '/unsubscribe',
      async ({ request, query }) => {
        const bytes = await readBody(ctx, request)
        const isForm = query.token !== undefined
        const { addressHash } = addressedBy(ctx, isForm ? query.token : tokenOf(request, bytes))
        await suppress(ctx, [{ addressHash, reason: 'UNSUBSCRIBED' }])
        return isForm && wantsPage(request) ? htmlAnswer(unsubscribedPage()) : { data: { unsubscribed: true as const } }
      },
      {
        parse: 'none',
        query: Query,
        detail: {
          tags,
          'x-door': 'public',
          'x-errors': ['FEATURE_NOT_CONFIGURED'],
          security: [],
          summary: 'Stop optional mail to an address',
          description:
            'With the token in the body, or in the query as mail programs send it (RFC 8058). The answer is the same whether or not svc has ever sent mail to the address.',
          operationId: 'unsubscribe',
          requestBody: { content: { 'application/json': { schema: BODY_SHOWN } } },
          responses: { 200: { description: 'Done.', content: { 'application/json': { schema: ANSWER_SHOWN } } } },
        },
      },
    )

/** 503 without a master key: signatures of before a restart could not be checked. 400 for a token that is not ours. */
function addressedBy({ vault, mac }: Context, token: string | undefined): { addressHash: string; token: string } {
  requireVault({ vault }, 'unsubscribe_signing')
  const addressHash = readUnsubscribeToken(mac, token ?? '')
  if (addressHash === null || token === undefined) throw invalid('token: it is not a link of a mail from here')
  return { addressHash, token }
}

function tokenOf({ headers }: Request, bytes: Uint8Array): string {
  const body = parseJsonObject(bytes, headers.get('content-type'), headers.get('content-encoding'))
  if (body instanceof BodyFault) throw invalid(body.message)
  if (!Value.Check(Body, body)) throw invalid('The body must be {"token": "..."} and nothing else')
  return body.token
}

const wantsPage = ({ headers }: Request): boolean => headers.get('accept')?.includes('text/html') ?? false

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const htmlAnswer = (html: string): Response =>
  new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  })
