import { type Static, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { api, type KeyHolder } from '../../projects/doors/api'
import type { ProjectState } from '../../projects/project/state'
import { type JwsInput, refuseStranger, signIosOffer, signIosOfferJws } from './offer'

const strict = { additionalProperties: false } as const

const OfferBody = Type.Object(
  {
    productId: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Your product identifier, or the id at the store',
    }),
    offerId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Id of the promotional offer at the store; not for an introductory one',
      }),
    ),
    format: Type.Optional(
      Type.Union([Type.Literal('legacy'), Type.Literal('jws')], {
        description: '`legacy` (when absent) for every iOS; `jws` for the calls of StoreKit that take a compact JWS',
      }),
    ),
    kind: Type.Optional(
      Type.Union([Type.Literal('promotional'), Type.Literal('introductory')], {
        description:
          '`promotional` when absent; `introductory` says whether the person may have the introductory offer, as a JWS only',
      }),
    ),
    transactionId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'For a JWS: any transaction of the person at the store, or their appTransactionId. Needed for an introductory offer; with a public key it is one that this project has recorded',
      }),
    ),
    allowIntroductoryOffer: Type.Optional(
      Type.Boolean({ description: 'For an introductory offer: whether the person may have it; true when absent' }),
    ),
    appAccountToken: Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' })),
  },
  { additionalProperties: true, title: 'OfferSignatureRequest' },
)

const EXAMPLE = { productId: 'pro_monthly', offerId: 'first_month' }

const OfferAnswer = Type.Object(
  {
    data: Type.Union([
      Type.Object(
        {
          keyIdentifier: Type.String(),
          nonce: Type.String(),
          signature: Type.String({ description: 'DER in base64' }),
          timestamp: Type.Integer({ description: 'Unix milliseconds' }),
        },
        { ...strict, title: 'OfferSignature' },
      ),
      Type.Object({ jws: Type.String({ description: 'In compact form' }) }, { ...strict, title: 'OfferJws' }),
    ]),
  },
  strict,
)

/** Signs promotional offers of the iOS store, under both paths of the wire. */
export const offerRoutes = (ctx: Context) => {
  const sign = async (holder: KeyHolder, body: Static<typeof OfferBody>) => ({
    data: body.format === 'jws' ? await jws(holder, jwsOf(body)) : await legacy(holder.project, body),
  })
  const jws = async (holder: KeyHolder, input: JwsInput) => {
    await refuseStranger(ctx, holder, input)
    return signIosOfferJws(ctx, holder.project, input)
  }
  const legacy = (project: ProjectState, { kind, productId, offerId, appAccountToken }: Static<typeof OfferBody>) => {
    if (kind === 'introductory') throw invalid('kind introductory needs format jws')
    if (offerId === undefined) throw invalid('offerId is missing')
    return signIosOffer(ctx, project, { productId, offerId, appAccountToken: appAccountToken ?? null })
  }
  return api(ctx, { key: 'any' })
    .post('/ios-offer-signature', ({ project, key, body }) => sign({ project, key }, body), describe('signIosOffer'))
    .post(
      '/purchases/ios-offer-signature',
      ({ project, key, body }) => sign({ project, key }, body),
      describe('signIosOfferAlias'),
    )
}

const jwsOf = ({ productId, kind = 'promotional', offerId, ...rest }: Static<typeof OfferBody>): JwsInput => ({
  productId,
  kind,
  offerId: offerId ?? null,
  transactionId: rest.transactionId ?? null,
  allowIntroductoryOffer: rest.allowIntroductoryOffer ?? true,
})

const describe = (operationId: string) => ({
  body: OfferBody,
  response: OfferAnswer,
  detail: {
    tags: ['Commerce'],
    'x-errors': ['FORBIDDEN'] as const,
    summary: 'Sign an offer for the iOS store',
    operationId,
    'x-example-request': EXAMPLE,
  },
})
