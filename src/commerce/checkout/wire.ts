import { Type } from '@sinclair/typebox'

const strict = { additionalProperties: false } as const
/** An object of the provider: its members are passed on as they are. */
const open = { additionalProperties: true } as const

const Identifier = Type.String({ minLength: 1, maxLength: 64 })
const url = (description: string) => Type.String({ minLength: 1, maxLength: 2048, description })

export const CheckoutBody = Type.Object(
  {
    offeringIdentifier: Identifier,
    packageIdentifier: Identifier,
    successUrl: url(
      'https (http for localhost). {CHECKOUT_SESSION_ID} in it is replaced by the provider with the id of the session',
    ),
    cancelUrl: url('https (http for localhost)'),
  },
  strict,
)

export const PortalBody = Type.Object({ returnUrl: url('https (http for localhost)') }, strict)

const Session = {
  id: Type.String(),
  url: Type.String({ description: 'Where to send the customer' }),
}

export const CheckoutAnswer = Type.Object(
  { data: Type.Object({ ...Session, sessionId: Type.String({ description: 'The id again' }) }, open) },
  strict,
)

export const PortalAnswer = Type.Object({ data: Type.Object(Session, open) }, strict)
