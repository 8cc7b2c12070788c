import { Type } from '@sinclair/typebox'

const strict = { additionalProperties: false } as const
/** An object of the provider: its members are passed on as they are. */
const open = { additionalProperties: true } as const

const identifier = (example: string) => Type.String({ minLength: 1, maxLength: 64, examples: [example] })
/** The format is checked by `checkReturnUrls`, which says what is wrong. */
const url = (description: string, format = 'uri') =>
  Type.String({ minLength: 1, maxLength: 2048, description, 'x-format': format })

export const CheckoutBody = Type.Object(
  {
    offeringIdentifier: identifier('default'),
    packageIdentifier: identifier('$svc_monthly'),
    successUrl: url(
      'https (http for localhost). {CHECKOUT_SESSION_ID} in it is replaced by the provider with the id of the session',
      'uri-template',
    ),
    cancelUrl: url('https (http for localhost)'),
  },
  { ...strict, title: 'CheckoutRequest' },
)

export const PortalBody = Type.Object({ returnUrl: url('https (http for localhost)') }, strict)

const Session = {
  id: Type.String(),
  url: Type.String({ description: 'Where to send the customer', 'x-format': 'uri' }),
}

export const CheckoutAnswer = Type.Object(
  { data: Type.Object({ ...Session, sessionId: Type.String({ description: 'The id again' }) }, open) },
  strict,
)

export const PortalAnswer = Type.Object({ data: Type.Object(Session, open) }, strict)
