import type { Context } from '../../base/context'
import { hasUsers } from '../accounts/users'

const PROVIDERS = ['google', 'github', 'oidc'] as const

/** What the sign-in page shows. */
export async function signInOptions(ctx: Context) {
  const { isSignupOpen, oauth, mail } = ctx.config
  const others = isSignupOpen ? ('OPEN' as const) : ('INVITATION' as const)
  return {
    signUp: (await hasUsers(ctx)) ? others : ('SETUP' as const),
    providers: PROVIDERS.filter((provider) => oauth[provider] !== null),
    mail: mail.smtpUrl !== null,
  }
}
