import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { listAnswer, listQuery } from '../../base/http/list'
import { DELETED, DeletedAnswer } from '../../base/http/object-answer'
import { account, requireRecent } from '../../projects/doors/account'
import { visitOf } from '../accounts/cookies'
import { toMe } from '../accounts/me'
import { visitor } from '../sign-in/visitor'
import { addPasskey, creationOptions, listOwnPasskeys, removePasskey } from './own-passkeys'
import { signInOptions, signInWith } from './sign-in'
import {
  CreateBody,
  CreationOptionsAnswer,
  PasskeyAnswer,
  PasskeyView,
  RequestOptionsAnswer,
  SignedInAnswer,
  SignInBody,
} from './wire'

const strict = { additionalProperties: false } as const
const NoBody = Type.Object({}, strict)

/** Signing in with a passkey. */
export const passkeySignInRoutes = (ctx: Context) =>
  visitor(ctx)
    .post('/passkey/options', async ({ visit }) => ({ data: { ...(await signInOptions(ctx, visit)) } }), {
      body: NoBody,
      response: RequestOptionsAnswer,
      detail: {
        tags: ['Sign-in'],
        summary: 'Begin to sign in with a passkey',
        description: 'WebAuthn request options in JSON. Sets the challenge cookie, valid for ten minutes.',
        operationId: 'getPasskeyRequestOptions',
        'x-errors': ['FEATURE_NOT_CONFIGURED'],
      },
    })
    .post(
      '/passkey',
      async ({ visit, body }) => {
        const response = withExtensions(body.credential) as AuthenticationResponseJSON
        return { data: { user: toMe(ctx, await signInWith(ctx, visit, response)) } }
      },
      {
        body: SignInBody,
        response: SignedInAnswer,
        detail: {
          tags: ['Sign-in'],
          summary: 'Sign in with a passkey',
          description: 'A passkey is both factors. Sets the session cookie.',
          operationId: 'signInWithPasskey',
          'x-errors': ['UNAUTHORIZED', 'FEATURE_NOT_CONFIGURED'],
        },
      },
    )

/** The library wants the member, and nothing in it. Browsers may leave it out. */
const withExtensions = <Credential extends object>(credential: Credential) => ({
  ...credential,
  clientExtensionResults: {},
})

const tags = ['Account']

/** The passkeys of the signed-in person. */
export const passkeyListRoutes = (ctx: Context) =>
  account(ctx, { by: 'any' }).get(
    '/me/passkeys',
    async ({ user, query }) => ({ data: await listOwnPasskeys(ctx, user.id, query) }),
    {
      query: Type.Object(listQuery, strict),
      response: listAnswer(PasskeyView),
      detail: { tags, summary: 'The own passkeys', operationId: 'listPasskeys' },
    },
  )

/** Changes need a session that is at most ten minutes old. */
export const passkeyRoutes = (ctx: Context) =>
  account(ctx, { by: 'session' })
    .post(
      '/me/passkeys/options',
      async ({ user, session, request, set }) => {
        requireRecent(ctx, session)
        return { data: { ...(await creationOptions(ctx, visitOf(request, set), user)) } }
      },
      {
        body: NoBody,
        response: CreationOptionsAnswer,
        detail: {
          tags,
          summary: 'Begin to make a passkey',
          description: 'WebAuthn creation options in JSON. Sets the challenge cookie, valid for ten minutes.',
          operationId: 'getPasskeyCreationOptions',
          'x-errors': ['FEATURE_NOT_CONFIGURED'],
        },
      },
    )
    .post(
      '/me/passkeys',
      async ({ user, session, actor, body, request, set }) => {
        const { id: sessionId } = requireRecent(ctx, session)
        const response = withExtensions(body.credential) as RegistrationResponseJSON
        const making = { sessionId, name: body.name, response }
        const data = await addPasskey(ctx, visitOf(request, set), actor, user, making)
        set.status = 201
        return { data }
      },
      {
        body: CreateBody,
        response: { 201: PasskeyAnswer },
        detail: {
          tags,
          summary: 'Save a passkey',
          operationId: 'createPasskey',
          'x-errors': ['CONFLICT', 'FEATURE_NOT_CONFIGURED'],
        },
      },
    )
    .delete(
      '/me/passkeys/:id',
      async ({ user, session, actor, params }) => {
        requireRecent(ctx, session)
        await removePasskey(ctx, actor, user.id, params.id)
        return DELETED
      },
      {
        params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
        response: DeletedAnswer,
        detail: { tags, summary: 'Delete a passkey', operationId: 'deletePasskey', 'x-errors': ['CONFLICT'] },
      },
    )
