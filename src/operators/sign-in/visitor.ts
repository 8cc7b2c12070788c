import type { Context } from '../../base/context'
import { guarded } from '../../base/http/guarded'
import { changesState, refuseOtherOrigin } from '../../projects/doors/signed-in'
import type { Visit } from '../accounts/cookies'
import { limitAddress } from './limits'

// A type, not an interface: Elysia's derive requires an index signature.
type Visitor = { visit: Visit }

/**
 * Routes below `/api/auth`, for people who are not signed in. What changes something must come from the dashboard's own
 * pages, also without a cookie: otherwise another page could sign a person in to an account of somebody else.
 */
export const visitor = (ctx: Context) =>
  guarded<Visitor>(ctx, {
    detail: { 'x-door': 'public', 'x-who': 'anyone' },
    authenticate: async ({ request, headers }) => {
      const visit = { request, headers }
      refuseOtherOrigin(ctx, request)
      if (changesState(request.method)) await limitAddress(ctx, visit)
      return { visit }
    },
    keyScope: null,
  })
