import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { listPublicKeys } from './lease-keys'

const strict = { additionalProperties: false } as const

const Jwk = Type.Object(
  {
    kty: Type.Literal('OKP'),
    crv: Type.Literal('Ed25519'),
    use: Type.Literal('sig'),
    alg: Type.Literal('EdDSA'),
    kid: Type.String(),
    x: Type.String(),
  },
  { ...strict, title: 'LeaseKey' },
)

/** The public keys of access leases. The route needs no API key. */
export const jwksRoutes = (ctx: Context) =>
  new Elysia().get(
    '/.well-known/jwks.json',
    async ({ set }) => {
      const keys = await listPublicKeys(ctx)
      set.headers['cache-control'] = 'public, max-age=300'
      return { keys }
    },
    {
      response: Type.Object({ keys: Type.Array(Jwk) }, strict),
      detail: {
        tags: ['Subscribers'],
        security: [],
        summary: 'Public keys of access leases',
        description: 'A rotated key stays listed until the last lease that it signed has ended.',
        operationId: 'listLeaseKeys',
      },
    },
  )
