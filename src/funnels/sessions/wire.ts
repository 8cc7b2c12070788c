import { Type } from '@sinclair/typebox'
import { dataAnswer, orNull } from '../../base/http/object-answer'
import { FunnelSchema } from '../publication/wire'
import type { FunnelOffer } from './hooks'

const strict = { additionalProperties: false } as const
const lenient = { additionalProperties: true } as const

const Ref = Type.String({ minLength: 1, maxLength: 255 })
const host = {
  project: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The slug of the project' })),
  hostname: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'A domain of the project' })),
}
const locale = Type.Optional(
  Type.String({ maxLength: 35, description: 'BCP 47; default: the language of the browser' }),
)

export const SlugParams = Type.Object({ slug: { ...Ref, description: 'The slug of the funnel' } }, lenient)
export const SessionParams = Type.Object({ id: Ref }, lenient)
export const FunnelQuery = Type.Object({ ...host, locale }, lenient)
/** Other members of the address are what texts of the funnel may use. */
export const BeginQuery = Type.Object(host, lenient)

const Text = Type.String({ maxLength: 500 })

export const BeginBody = Type.Object(
  {
    utm: Type.Optional(
      Type.Object(
        {
          source: Type.Optional(Text),
          medium: Type.Optional(Text),
          campaign: Type.Optional(Text),
          term: Type.Optional(Text),
          content: Type.Optional(Text),
          id: Type.Optional(Text),
        },
        strict,
      ),
    ),
    referrer: Type.Optional(Type.String({ maxLength: 2048, description: 'The address of the page before' })),
    locale,
    placement: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'The identifier' })),
    visitor: Type.Optional(Type.String({ minLength: 8, maxLength: 64, description: 'As the placement told it' })),
    variantId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The variant that was drawn; any other is refused' }),
    ),
  },
  { ...strict, title: 'FunnelSessionRequest' },
)

const PageId = Type.String({ minLength: 1, maxLength: 64 })

export const AnswersBody = Type.Object(
  {
    page_id: PageId,
    answers: Type.Record(Type.String({ minLength: 1, maxLength: 64 }), Type.Unknown(), {
      maxProperties: 50,
      description: 'By field; null withdraws an answer',
    }),
  },
  { ...strict, title: 'FunnelAnswers' },
)

export const AdvanceBody = Type.Object(
  {
    page_id: PageId,
    action: Type.Optional(
      Type.String({
        pattern: '^(next|skip|to:[A-Za-z0-9$_.-]{1,64})$',
        description: 'What a button of the page does: next, skip or to:<page>. Default: next',
      }),
    ),
  },
  { ...strict, title: 'FunnelAdvance' },
)

export const BackBody = Type.Object({ page_id: Type.Optional(PageId) }, { ...strict, title: 'FunnelBack' })

const Money = Type.Object({ amountMicros: Type.Integer(), currency: Type.String() }, strict)
const Interval = Type.Union([Type.Literal('day'), Type.Literal('week'), Type.Literal('month'), Type.Literal('year')])

const PriceSchema = Type.Object(
  {
    packageIdentifier: Type.String(),
    productType: Type.String(),
    name: Type.String(),
    price: Money,
    interval: orNull(Interval),
    intervalCount: Type.Integer(),
    trialDays: Type.Integer({ description: '0 = no trial' }),
    introPrice: orNull(Money),
    taxIncluded: orNull(Type.Boolean()),
    dueNow: Money,
  },
  { ...strict, title: 'FunnelPrice' },
)

const Wallet = Type.Union([Type.Literal('ACTIVE'), Type.Literal('INACTIVE')])
const PaymentSchema = Type.Object(
  {
    provider: Type.Union([Type.Literal('stripe'), Type.Literal('test')]),
    publishableKey: Type.String(),
    accountId: orNull(Type.String()),
    apiVersion: Type.String(),
    wallets: Type.Object({ applePay: Wallet, googlePay: Wallet, link: Wallet, paypal: Wallet }, strict),
  },
  { ...strict, title: 'FunnelPaymentMethod' },
)

/** As in an answer of a placement, but a funnel may be opened without one. */
const ContextSchema = Type.Object(
  {
    placementId: orNull(Type.String()),
    placementRevision: orNull(Type.Integer()),
    funnelId: Type.String(),
    funnelVersionNo: Type.Integer(),
    variantId: orNull(Type.String()),
    experimentKey: orNull(Type.String()),
  },
  { ...strict, title: 'FunnelContext' },
)

const DocumentSchema = Type.Object(
  { ...FunnelSchema.properties, presentedContext: ContextSchema },
  { ...strict, title: 'PublicFunnelDocument' },
)

export const FunnelAnswer = dataAnswer(
  Type.Object(
    {
      funnel: DocumentSchema,
      prices: Type.Unsafe<FunnelOffer['prices']>(Type.Array(PriceSchema)),
      payment: orNull(PaymentSchema),
      chargesEnabled: Type.Boolean(),
    },
    { ...strict, title: 'PublicFunnel' },
  ),
)

export const BegunAnswer = dataAnswer(
  Type.Object(
    {
      session_id: Type.String(),
      first_page_id: Type.String(),
      session_token: Type.String({ description: 'For the header X-Svc-Funnel-Session where cookies do not arrive' }),
    },
    { ...strict, title: 'FunnelSessionBegun' },
  ),
)

export const SavedAnswer = dataAnswer(Type.Object({ saved: Type.Literal(true) }, { ...strict, title: 'FunnelSaved' }))

export const AdvancedAnswer = dataAnswer(
  Type.Union([
    Type.Object(
      { next: Type.Union([Type.Literal('page'), Type.Literal('payment')]), page_id: Type.String() },
      { ...strict, title: 'FunnelNextPage' },
    ),
    Type.Object({ next: Type.Literal('end') }, { ...strict, title: 'FunnelEnd' }),
  ]),
)

export const BackAnswer = dataAnswer(Type.Object({ page_id: Type.String() }, { ...strict, title: 'FunnelPageBefore' }))

export const StateAnswer = dataAnswer(
  Type.Object(
    {
      current_page_id: Type.String(),
      path: Type.Unsafe<readonly string[]>(Type.Array(Type.String())),
      answers: Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Record(Type.String(), Type.Unknown())),
      state: Type.Union([
        Type.Literal('IN_PROGRESS'),
        Type.Literal('PAID'),
        Type.Literal('COMPLETED'),
        Type.Literal('ABANDONED'),
      ]),
      payment: orNull(Type.Record(Type.String(), Type.Unknown())),
      has_claim_token: Type.Boolean(),
      locale: Type.String(),
      version_no: Type.Integer(),
    },
    { ...strict, title: 'FunnelSessionState' },
  ),
)
