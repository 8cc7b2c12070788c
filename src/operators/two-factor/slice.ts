import { slice } from '../../base/slice'
import { challengeRoutes } from './challenge-routes'
import { twoFactorRoutes } from './routes'

/** A second factor at sign-in: codes of an authenticator app, and backup codes. */
export const twoFactor = slice({ name: 'two-factor', accountRoutes: twoFactorRoutes, authRoutes: challengeRoutes })
