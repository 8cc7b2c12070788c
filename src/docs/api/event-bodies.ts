import { Type } from '@sinclair/typebox'
import { Int64 } from '../../base/http/int64-schema'
import type { EventType } from '../../people/events/event-types'
import { MoneySchema } from '../../people/purchases/wire'
import { type Body, strict, text, textOrNull } from './event-body'
import { CORRECTED, PURCHASE_BODIES } from './purchase-event-bodies'

const ledgerType = Type.Union([
  Type.Literal('PURCHASE'),
  Type.Literal('SPEND'),
  Type.Literal('REFUND'),
  Type.Literal('BONUS'),
  Type.Literal('EXPIRE'),
  Type.Literal('TRANSFER_IN'),
  Type.Literal('TRANSFER_OUT'),
])

const access = Type.String({ description: 'Access identifier, such as pro' })
const ofPurchase = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const experiment = Type.Object({ experimentId: text, key: text, variantId: text, placementId: textOrNull }, strict)
const session = { sessionId: text, funnelId: text, pageId: textOrNull }

/** Every event that is recorded, in the order in which `EVENT_TYPES` has them. */
export const BODIES: Record<EventType, Body> = {
  ...PURCHASE_BODIES,
  'purchase.corrected': CORRECTED,
  'entitlement.granted': {
    when: 'Somebody holds an access that they did not hold before.',
    data: Type.Object(
      {
        access,
        purchaseId: ofPurchase('The purchase that gives it'),
        linked: Type.Optional(
          Type.Literal(true, {
            description: 'Present when the product of the purchase came into the catalogue only now',
          }),
        ),
      },
      strict,
    ),
  },
  'entitlement.revoked': {
    when: 'Somebody does not hold an access any more.',
    data: Type.Object(
      { access, purchaseId: ofPurchase('The purchase that gave it; null when it belongs to somebody else now') },
      strict,
    ),
  },
  'subscriber.identified': {
    when: 'A device is identified as a person of yours (`identify`).',
    data: Type.Object({ appUserId: text, previousAppUserId: textOrNull }, strict),
  },
  'subscriber.transferred': {
    when: 'Purchases or balances move from one subscriber to another. Both get one, with the same `transferId`.',
    data: Type.Object(
      {
        transferId: text,
        role: Type.Union([Type.Literal('FROM'), Type.Literal('TO')]),
        fromSubscriberId: text,
        toSubscriberId: text,
        purchaseIds: Type.Array(text),
        credits: Type.Record(Type.String(), Int64('The amount that moved'), { description: 'By code of the currency' }),
      },
      strict,
    ),
  },
  'currency.transaction': {
    when: 'A balance of a virtual currency changes.',
    data: Type.Object(
      {
        code: text,
        amount: Int64('Negative for what is taken away'),
        balance: Int64('After the change'),
        ledgerType,
        referenceType: textOrNull,
        referenceId: textOrNull,
      },
      strict,
    ),
  },
  'experiment.exposed': { when: 'Somebody sees their variant of an experiment for the first time.', data: experiment },
  'experiment.converted': { when: 'Somebody does what the experiment measures.', data: experiment },
  'funnel.session.started': { when: 'A web funnel is opened.', data: Type.Object(session, strict) },
  'funnel.session.advanced': {
    when: 'A visitor of a web funnel comes to another page.',
    data: Type.Object(session, strict),
  },
  'funnel.session.completed': {
    when: 'A visitor comes to the end of a web funnel.',
    data: Type.Object(session, strict),
  },
  'funnel.paid': {
    when: 'A visitor of a web funnel pays.',
    data: Type.Object({ sessionId: text, price: Type.Union([MoneySchema, Type.Null()]) }, strict),
  },
  'funnel.claimed': {
    when: 'An app takes over what was bought in a web funnel.',
    data: Type.Object({ sessionId: text, fromSubscriberId: textOrNull }, strict),
  },
  'import.committed': {
    when: 'The purchases of an import are written. It belongs to no subscriber.',
    data: Type.Object({ jobId: text, rows: Type.Integer() }, strict),
  },
}

/** A test of a webhook endpoint. It is sent, but it is not in the feed. */
export const TEST_BODY: Body = {
  when: 'Somebody sends a test to an endpoint. It is not in the feed.',
  data: Type.Object({ message: text }, strict),
}
