import { type Static, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { api } from '../../projects/doors/api'
import type { ProjectState } from '../../projects/project/state'
import { signIosOffer } from './offer'

const strict = { additionalProperties: false } as const

const OfferBody = Type.Object(
  {
    productId: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Your product identifier, or the id at the store',
    }),
    offerId: Type.String({ minLength: 1, maxLength: 255, description: 'Id of the promotional offer at the store' }),
    appAccountToken: Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' })),
  },
  { additionalProperties: true, title: 'OfferSignatureRequest' },
)

const OfferAnswer = Type.Object(
  {
    data: Type.Object(
      {
        keyIdentifier: Type.String(),
        nonce: Type.String(),
        signature: Type.String({ description: 'DER in base64' }),
        timestamp: Type.Integer({ description: 'Unix milliseconds' }),
      },
      { ...strict, title: 'OfferSignature' },
    ),
  },
  strict,
)

/** Signs promotional offers of the iOS store, under both paths of the wire. */
export const offerRoutes = (ctx: Context) => {
  const sign = async (project: ProjectState, { appAccountToken, ...body }: Static<typeof OfferBody>) => ({
    data: await signIosOffer(ctx, project, { ...body, appAccountToken: appAccountToken ?? null }),
  })
  return api(ctx, { key: 'any' })
    .post('/ios-offer-signature', ({ project, body }) => sign(project, body), describe('signIosOffer'))
    .post('/purchases/ios-offer-signature', ({ project, body }) => sign(project, body), describe('signIosOfferAlias'))
}

const describe = (operationId: string) => ({
  body: OfferBody,
  response: OfferAnswer,
  detail: { tags: ['Commerce'], summary: 'Sign a promotional offer for the iOS store', operationId },
})
