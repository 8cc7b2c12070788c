import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { guarded } from '../../base/http/guarded'
import { changesState, refuseOtherOrigin } from '../../projects/doors/signed-in'
import { type CookieName, readCookie, type Visit } from '../accounts/cookies'
import { limitAddress } from './limits'

// A type, not an interface: Elysia's derive requires an index signature.
type Visitor = { visit: Visit }

/**
 * Routes below `/api/auth`, for people who are not signed in. What changes something must come from the dashboard's own
 * pages, also without a cookie: otherwise another page could sign a person in to an account of somebody else.
 *
 * With `cookie`, a caller without that cookie is refused with 401 before anything else is looked at.
 */
export const visitor = (ctx: Context, { cookie }: { cookie?: CookieName } = {}) =>
  guarded<Visitor>(ctx, {
    detail: { 'x-door': 'public', 'x-who': 'anyone' },
    authenticate: async ({ request, headers }) => {
      const visit = { request, headers }
      refuseOtherOrigin(ctx, request)
      if (changesState(request.method)) await limitAddress(ctx, visit)
      if (cookie && readCookie(ctx, request, cookie) === null) throw new AppError('UNAUTHORIZED')
      return { visit }
    },
    keyScope: null,
  })
