import type { Limits } from '../../base/http/shared/limits'
import { slice } from '../../base/slice'
import { signInJobs } from './jobs'
import { createSignInLimits } from './limits'
import { signInRoutes } from './routes'

declare module '../../base/state' {
  interface SliceState {
    /** Attempts for one mail address from one client address; shared by processes that have a cache in common. */
    signInLimits: Limits
  }
}

/** Signing up, in and out with a password, and the links in mails about it. */
export const signIn = slice({
  name: 'sign-in',
  state: { signInLimits: createSignInLimits },
  jobs: signInJobs,
  authRoutes: signInRoutes,
})
