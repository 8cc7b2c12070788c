import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { type Call, guarded } from '../../base/http/guarded'
import { type SignedIn, signedIn } from '../../projects/doors/signed-in'
import { readTokenName } from '../access-tokens/service'
import { callerOf } from '../assistant/tools/caller'
import { findAmongOwn } from './own-projects'
import { answerMessage, PROTOCOL_VERSIONS } from './protocol'
import { mcpServer } from './server'

const Message = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 16 })
const Query = Type.Object(
  { project: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) },
  { additionalProperties: false },
)
const hidden = { detail: { hide: true } }

/** The Model Context Protocol over HTTP: one message a call, no sessions and no stream of the server's own. */
export const mcpRoutes = (ctx: Context) =>
  new Elysia().use(messageRoute(ctx)).get('/mcp', noStream, hidden).delete('/mcp', noStream, hidden)

const messageRoute = (ctx: Context) =>
  guarded(ctx, { authenticate: (call) => admit(ctx, call), keyScope: null }).post(
    '/mcp',
    async ({ request, user, signIn, scopes, query: { project }, body }) => {
      refuseVersion(request)
      const caller = callerOf(ctx, request)
      const tokenName = () => readTokenName(ctx, signIn.id)
      const use = { caller, userId: user.id, scopes, tokenName, project, findProject: findAmongOwn(caller) }
      const reply = await answerMessage(mcpServer(ctx, use), body)
      return reply === null ? new Response(null, { status: 202 }) : Response.json(reply)
    },
    { body: Message, query: Query, ...hidden },
  )

/** Only by a personal access token: a browser sends cookies for any page. */
async function admit(ctx: Context, call: Call): Promise<Pick<SignedIn, 'user' | 'signIn' | 'scopes'>> {
  const { user, session, signIn, scopes } = await signedIn(ctx, call, { takesTokens: true })
  if (session) throw new AppError('UNAUTHORIZED', undefined, { message: BY_TOKEN })
  return { user, signIn, scopes }
}

const BY_TOKEN = 'Send a personal access token as "Authorization: Bearer svc_pat_…"'

function refuseVersion({ headers }: Request): void {
  const version = headers.get('mcp-protocol-version')
  if (version === null || PROTOCOL_VERSIONS.some((one) => one === version)) return
  throw invalid(`MCP-Protocol-Version must be one of ${PROTOCOL_VERSIONS.join(', ')}`)
}

const noStream = (): Response => new Response(null, { status: 405, headers: { allow: 'POST' } })
