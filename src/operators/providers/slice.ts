import { slice } from '../../base/slice'
import { ProviderClients } from './clients'
import { linkedRoutes, oauthRoutes } from './routes'

declare module '../../base/state' {
  interface SliceState {
    providers: ProviderClients
  }
}

/** Signing in by Google, GitHub or another OpenID Connect issuer. */
export const providers = slice({
  name: 'providers',
  state: { providers: ({ config, clock }) => new ProviderClients(config, () => clock.now()) },
  authRoutes: oauthRoutes,
  accountRoutes: linkedRoutes,
})
