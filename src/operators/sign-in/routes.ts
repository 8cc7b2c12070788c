import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { account } from '../../projects/doors/account'
import { visitOf } from '../accounts/cookies'
import { toMe } from '../accounts/me'
import { hasUsers } from '../accounts/users'
import { limitMail } from './limits'
import { mailLinkRoutes } from './mail-link-routes'
import { signIn, signOut } from './sign-in'
import { signUp } from './sign-up'
import { visitor } from './visitor'
import { NoBody, OptionsAnswer, SignedOutAnswer, SignInAnswer, SignInBody, SignUpAnswer, SignUpBody } from './wire'

const tags = ['Sign-in']

export const signInRoutes = (ctx: Context) =>
  new Elysia().use(visitorRoutes(ctx)).use(mailLinkRoutes(ctx)).use(signOutRoutes(ctx))

/** Signing up and in, for everybody. */
const visitorRoutes = (ctx: Context) =>
  visitor(ctx)
    .get('/options', async () => ({ data: await signInOptions(ctx) }), {
      response: OptionsAnswer,
      detail: { tags, summary: 'What the sign-in page shows', operationId: 'getSignInOptions' },
    })
    .post(
      '/sign-up',
      async ({ visit, body }) => {
        await limitMail(ctx, visit, 'sign-up', body.email)
        return { data: await signUp(ctx, body) }
      },
      {
        body: SignUpBody,
        response: SignUpAnswer,
        detail: {
          tags,
          'x-errors': ['FORBIDDEN'],
          summary: 'Make an account',
          description:
            'Open to the first user with the set-up token, to invited people, and with SVC_OPEN_SIGNUP to everybody. An invitation’s link from a mail proves the address; a link that was shown does not, so `emailVerified` is false then. The answer does not tell whether the address has an account.',
          operationId: 'signUp',
        },
      },
    )
    .post(
      '/sign-in',
      async ({ visit, body }) => {
        await limitMail(ctx, visit, 'sign-in', body.email)
        const begun = await signIn(ctx, visit, body.email, body.password)
        return { data: { next: begun.next, user: begun.next === null ? toMe(ctx, begun.account) : null } }
      },
      {
        body: SignInBody,
        response: SignInAnswer,
        detail: {
          tags,
          'x-errors': ['UNAUTHORIZED'],
          summary: 'Sign in with a password',
          description: 'Sets the session cookie, or for a person with two factors the challenge cookie.',
          operationId: 'signIn',
        },
      },
    )

const signOutRoutes = (ctx: Context) =>
  account(ctx, { by: 'session' }).post(
    '/sign-out',
    async ({ user, session, request, set }) => {
      if (!session) throw new AppError('UNAUTHORIZED')
      await signOut(ctx, visitOf(request, set), user, session.id)
      return { data: { signedOut: true as const } }
    },
    {
      body: NoBody,
      response: SignedOutAnswer,
      detail: { tags, summary: 'End the session', operationId: 'signOut' },
    },
  )

const PROVIDERS = ['google', 'github', 'oidc'] as const

/** What the sign-in page shows. */
async function signInOptions(ctx: Context) {
  const { isSignupOpen, oauth, mail } = ctx.config
  const others = isSignupOpen ? ('OPEN' as const) : ('INVITATION' as const)
  return {
    signUp: (await hasUsers(ctx)) ? others : ('SETUP' as const),
    providers: PROVIDERS.filter((provider) => oauth[provider] !== null),
    mail: mail.smtpUrl !== null,
  }
}
