import { Type } from '@sinclair/typebox'
import { TIERS, TierName } from '../../base/config-cloud'
import { listAnswer } from '../../base/http/list'
import { dataAnswer, orNull } from '../../base/http/object-answer'
import { oneOf } from '../../core/schema/object'

const strict = { additionalProperties: false } as const
const Instant = Type.String({ format: 'date-time' })
const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

const State = oneOf(['FREE', 'ACTIVE', 'PAST_DUE', 'PAUSED', 'DELETED'])

export const BillingAnswer = dataAnswer(
  Type.Object(
    {
      tier: TierName,
      state: State,
      pendingTier: orNull({ ...TierName, description: 'The plan from the next period on, where it is another one' }),
      renewsAt: orNull(Instant),
      cancelAt: orNull(Instant),
      pausedAt: orNull(Instant),
      cardNeededBy: orNull({ ...Instant, description: 'After a transfer: until then the new owner must add a card' }),
      locked: Type.Boolean({
        description: 'Both of the last two completed months were over what the plan included at their ends',
      }),
      publishableKey: orNull(Type.String({ description: "For the provider's card form; null at the test store" })),
    },
    { ...strict, title: 'Billing' },
  ),
)

const MoneyView = Type.Object(
  { amountMicros: Type.Integer(), currency: Type.String({ maxLength: 3 }) },
  { ...strict, title: 'BillingMoney' },
)

export const UpgradeBody = Type.Object(
  {
    tier: oneOf(TIERS),
    paymentMethodId: Type.Optional(Type.String({ pattern: '^pm_\\w+$', maxLength: 100 })),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only says what would be charged' })),
  },
  { ...strict, title: 'BillingUpgrade' },
)

export const UpgradeAnswer = dataAnswer(
  Type.Object(
    {
      clientSecret: orNull(Type.String({ description: 'With it the browser confirms a payment or a card' })),
      kind: orNull(oneOf(['payment', 'setup'])),
      state: State,
      dueNow: MoneyView,
      nextAmount: MoneyView,
    },
    { ...strict, title: 'BillingUpgradeAnswer' },
  ),
)

export const NoBody = Type.Object({}, strict)

const CardView = Type.Object(
  {
    id: Type.String(),
    brand: Type.String(),
    last4: Type.String(),
    expMonth: Type.Integer(),
    expYear: Type.Integer(),
    isDefault: Type.Boolean(),
  },
  { ...strict, title: 'PaymentMethod' },
)
export const CardsAnswer = listAnswer(CardView)
export const CardAnswer = dataAnswer(CardView)
export const SetupAnswer = dataAnswer(
  Type.Object({ setupClientSecret: Type.String() }, { ...strict, title: 'PaymentMethodSetup' }),
)
export const OneCard = Type.Object({ projectId: Type.String({ maxLength: 64 }), id: Type.String({ maxLength: 100 }) })

const invoice = {
  id: Type.String(),
  number: orNull(Type.String()),
  total: Type.String({ description: 'In decimals of the currency: 29.00' }),
  currency: Type.String(),
  status: oneOf(['draft', 'open', 'paid', 'uncollectible', 'void']),
  pdfUrl: orNull(Type.String()),
  createdAt: Instant,
}
export const InvoicesAnswer = listAnswer(Type.Object(invoice, { ...strict, title: 'BillingInvoice' }))

const Line = Type.Object({ text: Type.String(), quantity: Type.Integer(), amount: Type.String() }, strict)
export const InvoiceAnswer = dataAnswer(
  Type.Object(
    {
      ...invoice,
      lines: Type.Array(Line, { maxItems: 1000 }),
      usage: Type.Array(Type.Object({ meter: Type.String(), used: Type.Integer() }, strict), { maxItems: 20 }),
      rowsUrl: Type.String({ description: 'What the project used in the month of the invoice, by day' }),
    },
    { ...strict, title: 'BillingInvoiceDetails' },
  ),
)

export const DetailsSchema = Type.Object(
  {
    name: Text(200),
    address: Type.Object(
      {
        line1: Text(200),
        line2: Type.Optional(Type.String({ maxLength: 200 })),
        city: Text(100),
        postalCode: Type.Optional(Type.String({ maxLength: 20 })),
        state: Type.Optional(Type.String({ maxLength: 100 })),
        country: Type.String({ pattern: '^[A-Z]{2}$', maxLength: 2, description: 'ISO 3166, two letters' }),
      },
      { ...strict, title: 'BillingAddress' },
    ),
    taxId: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 50 }))),
  },
  { ...strict, title: 'BillingDetails' },
)
export const DetailsAnswer = dataAnswer(DetailsSchema)
export const SavedDetailsAnswer = dataAnswer(
  Type.Object({ details: orNull(DetailsSchema) }, { ...strict, title: 'SavedBillingDetails' }),
)
