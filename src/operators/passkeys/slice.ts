import { Elysia } from 'elysia'
import { slice } from '../../base/slice'
import { passkeyListRoutes, passkeyRoutes, passkeySignInRoutes } from './routes'

/** Signing in with passkeys (WebAuthn). */
export const passkeys = slice({
  name: 'passkeys',
  authRoutes: passkeySignInRoutes,
  accountRoutes: (ctx) => new Elysia().use(passkeyListRoutes(ctx)).use(passkeyRoutes(ctx)),
})
