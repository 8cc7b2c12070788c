import { type Static, type TSchema, Type } from '@sinclair/typebox'

// The resources of the Play Developer API, with the members that are used here. Enumerations that Google may extend are
// plain text, and other members are ignored. In protobuf's JSON null means absent, an int64 is a decimal text, and a
// member that is false or zero may be missing.

const open = { additionalProperties: true }

const Maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))

/** Names, ids and times: no control characters. */
const Text = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f]{0,512}$' })
const Id = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f]{1,512}$' })
/** Purchase tokens are opaque and long. */
const Token = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f]{1,2048}$' })
const Int64 = Type.Union([Type.String({ pattern: '^-?\\d{1,19}$' }), Type.Integer()])
const Anything = Type.Object({}, open)

export const MoneyResource = Type.Object(
  {
    currencyCode: Maybe(Text),
    units: Maybe(Int64),
    nanos: Maybe(Type.Integer({ minimum: -999_999_999, maximum: 999_999_999 })),
  },
  open,
)
export type MoneyResource = Static<typeof MoneyResource>

const LineItem = Type.Object(
  {
    productId: Id,
    expiryTime: Maybe(Text),
    latestSuccessfulOrderId: Maybe(Text),
    autoRenewingPlan: Maybe(
      Type.Object(
        {
          autoRenewEnabled: Maybe(Type.Boolean()),
          recurringPrice: Maybe(MoneyResource),
          priceChangeDetails: Maybe(
            Type.Object(
              {
                priceChangeMode: Maybe(Text),
                priceChangeState: Maybe(Text),
                newPrice: Maybe(MoneyResource),
                expectedNewPriceChargeTime: Maybe(Text),
              },
              open,
            ),
          ),
          priceStepUpConsentDetails: Maybe(Type.Object({ state: Maybe(Text) }, open)),
        },
        open,
      ),
    ),
    prepaidPlan: Maybe(Anything),
    offerDetails: Maybe(Type.Object({ basePlanId: Maybe(Text), offerId: Maybe(Text) }, open)),
    offerPhase: Maybe(
      Type.Object(
        {
          freeTrial: Maybe(Anything),
          introductoryPrice: Maybe(Anything),
          basePrice: Maybe(Anything),
          prorationPeriod: Maybe(Anything),
        },
        open,
      ),
    ),
    deferredItemReplacement: Maybe(Type.Object({ productId: Maybe(Text) }, open)),
    deferredItemRemoval: Maybe(Anything),
    itemReplacement: Maybe(Type.Object({ productId: Maybe(Text) }, open)),
  },
  open,
)
export type LineItem = Static<typeof LineItem>

export const SubscriptionResource = Type.Object(
  {
    subscriptionState: Id,
    startTime: Maybe(Text),
    lineItems: Maybe(Type.Array(LineItem, { maxItems: 100 })),
    /** The line items' `latestSuccessfulOrderId` replaces it; older answers have only this one. */
    latestOrderId: Maybe(Text),
    linkedPurchaseToken: Maybe(Token),
    acknowledgementState: Maybe(Text),
    testPurchase: Maybe(Anything),
    pausedStateContext: Maybe(Type.Object({ autoResumeTime: Maybe(Text) }, open)),
    canceledStateContext: Maybe(
      Type.Object(
        {
          userInitiatedCancellation: Maybe(Anything),
          systemInitiatedCancellation: Maybe(Anything),
          developerInitiatedCancellation: Maybe(Anything),
          replacementCancellation: Maybe(Anything),
        },
        open,
      ),
    ),
    externalAccountIdentifiers: Maybe(
      Type.Object({ obfuscatedExternalAccountId: Maybe(Text), obfuscatedExternalProfileId: Maybe(Text) }, open),
    ),
    regionCode: Maybe(Text),
    outOfAppPurchaseContext: Maybe(Type.Object({ expiredPurchaseToken: Maybe(Token) }, open)),
  },
  open,
)
export type SubscriptionResource = Static<typeof SubscriptionResource>

const Quantity = Type.Integer({ minimum: 0, maximum: 1_000_000 })

/** `purchases.productsv2`. */
export const ProductResourceV2 = Type.Object(
  {
    purchaseStateContext: Type.Object({ purchaseState: Maybe(Text) }, open),
    purchaseCompletionTime: Maybe(Text),
    orderId: Maybe(Text),
    acknowledgementState: Maybe(Text),
    obfuscatedExternalAccountId: Maybe(Text),
    obfuscatedExternalProfileId: Maybe(Text),
    testPurchaseContext: Maybe(Anything),
    regionCode: Maybe(Text),
    productLineItem: Maybe(
      Type.Array(
        Type.Object(
          {
            productId: Id,
            productOfferDetails: Maybe(
              Type.Object(
                {
                  offerId: Maybe(Text),
                  quantity: Maybe(Quantity),
                  refundableQuantity: Maybe(Quantity),
                  consumptionState: Maybe(Text),
                },
                open,
              ),
            ),
          },
          open,
        ),
        { maxItems: 100 },
      ),
    ),
  },
  open,
)
export type ProductResourceV2 = Static<typeof ProductResourceV2>

/** `purchases.products`. */
export const ProductResourceV1 = Type.Object(
  {
    purchaseState: Type.Integer(),
    purchaseTimeMillis: Maybe(Int64),
    orderId: Maybe(Text),
    productId: Maybe(Text),
    regionCode: Maybe(Text),
    quantity: Maybe(Quantity),
    refundableQuantity: Maybe(Quantity),
    acknowledgementState: Maybe(Type.Integer()),
    consumptionState: Maybe(Type.Integer()),
    purchaseType: Maybe(Type.Integer()),
    obfuscatedExternalAccountId: Maybe(Text),
    obfuscatedExternalProfileId: Maybe(Text),
  },
  open,
)
export type ProductResourceV1 = Static<typeof ProductResourceV1>

/** `orders`. Each line item is one product that the order paid for. */
export const OrderResource = Type.Object(
  {
    orderId: Maybe(Text),
    purchaseToken: Maybe(Token),
    createTime: Maybe(Text),
    total: Maybe(MoneyResource),
    orderHistory: Maybe(
      Type.Object(
        {
          refundEvent: Maybe(Type.Object({ eventTime: Maybe(Text), refundReason: Maybe(Text) }, open)),
          partialRefundEvents: Maybe(
            Type.Array(
              Type.Object(
                {
                  state: Maybe(Text),
                  createTime: Maybe(Text),
                  processTime: Maybe(Text),
                  refundDetails: Maybe(Type.Object({ total: Maybe(MoneyResource) }, open)),
                },
                open,
              ),
              { maxItems: 100 },
            ),
          ),
        },
        open,
      ),
    ),
    lineItems: Maybe(
      Type.Array(
        Type.Object(
          {
            productId: Id,
            total: Maybe(MoneyResource),
            subscriptionDetails: Maybe(
              Type.Object(
                {
                  offerPhaseDetails: Maybe(
                    Type.Object(
                      {
                        freeTrialDetails: Maybe(Anything),
                        introductoryPriceDetails: Maybe(Anything),
                        baseDetails: Maybe(Anything),
                        prorationPeriodDetails: Maybe(Anything),
                      },
                      open,
                    ),
                  ),
                },
                open,
              ),
            ),
          },
          open,
        ),
        { maxItems: 100 },
      ),
    ),
  },
  open,
)
export type OrderResource = Static<typeof OrderResource>

export const VoidedResource = Type.Object(
  {
    purchaseToken: Token,
    orderId: Maybe(Text),
    voidedTimeMillis: Int64,
    voidedReason: Maybe(Type.Integer()),
    voidedQuantity: Maybe(Quantity),
  },
  open,
)

/** The message inside a real-time developer notification. */
export const NotificationResource = Type.Object(
  {
    packageName: Type.String({ pattern: '^[A-Za-z0-9_.]{1,255}$' }),
    eventTimeMillis: Int64,
    subscriptionNotification: Maybe(
      Type.Object({ notificationType: Type.Integer(), purchaseToken: Token, subscriptionId: Maybe(Text) }, open),
    ),
    oneTimeProductNotification: Maybe(
      Type.Object({ notificationType: Type.Integer(), purchaseToken: Token, sku: Maybe(Text) }, open),
    ),
    voidedPurchaseNotification: Maybe(
      Type.Object(
        {
          purchaseToken: Token,
          orderId: Maybe(Text),
          productType: Maybe(Type.Integer()),
          refundType: Maybe(Type.Integer()),
        },
        open,
      ),
    ),
    testNotification: Maybe(Anything),
  },
  open,
)
export type NotificationResource = Static<typeof NotificationResource>
