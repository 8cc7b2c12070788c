import { Type } from '@sinclair/typebox'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import { statusAt } from '../purchases/status'
import { findStoreProduct } from '../purchases/store-product'
import { PurchaseViewSchema, toPurchaseView } from '../purchases/wire'
import type { SubscriberRow } from '../subscribers/service'
import type { ExplainedCandidate, Explanation } from './explain'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])
const textOrNull = Type.Union([Type.String(), Type.Null()])

const Rule = Type.String({
  description: 'ACTIVE_BEFORE_END, GRACE_PERIOD_BEFORE_END, PAST_END, NOT_OWNED, NO_PRODUCT and so on',
})

const Hint = Type.Optional(
  Type.String({ description: 'With NO_PRODUCT: why the purchase gives nothing, and what to do so that it does' }),
)

const Decision = Type.Object(
  { purchaseId: Type.String(), rule: Rule, effectiveEnd: timeOrNull },
  { ...strict, title: 'AccessDecision' },
)

const Link = Type.Object(
  {
    at: time,
    eventId: Type.String(),
    seq: Type.Union([Type.Integer(), Type.Null()]),
    type: Type.String(),
    cause: Type.Object({ kind: Type.String(), ref: textOrNull }, strict),
    isActiveAfter: Type.Boolean(),
  },
  { ...strict, title: 'AccessChange' },
)

export const ExplainAnswer = Type.Object(
  {
    data: Type.Object(
      {
        subscriberId: Type.String(),
        access: Type.String(),
        at: time,
        isActive: Type.Boolean(),
        decidedBy: Type.Union([Decision, Type.Null()]),
        candidates: Type.Array(
          Type.Object({ purchase: PurchaseViewSchema, grants: Type.Boolean(), rule: Rule, hint: Hint }, strict),
        ),
        chain: Type.Array(Link),
      },
      { ...strict, title: 'AccessExplanation' },
    ),
  },
  strict,
)

/** The explanation of wire 2.21. A purchase that had not been bought at the instant gets its status of `now`. */
export function toExplainView(
  project: ProjectState,
  { id: subscriberId }: SubscriberRow,
  { access, at, now }: { access: string; at: number; now: number },
  { decidedBy, candidates, chain }: Explanation,
) {
  return {
    subscriberId,
    access,
    at: toIso(at),
    isActive: decidedBy?.isActive ?? false,
    decidedBy: decidedBy && {
      purchaseId: decidedBy.purchaseId,
      rule: decidedBy.rule,
      effectiveEnd: toIsoOrNull(decidedBy.expiresAt),
    },
    candidates: candidates.map(({ purchase, grants, rule }) => {
      const state = statusAt(purchase.fold, rule === 'NOT_YET_BOUGHT' ? now : at)
      const hint = rule === 'NO_PRODUCT' ? { hint: hintFor(project, purchase) } : {}
      return { purchase: toPurchaseView(project, purchase, state), grants, rule, ...hint }
    }),
    chain: chain.map(({ event: { occurredAt, id: eventId, seq, type, cause }, isActiveAfter }) => {
      const { kind, ref } = cause
      return { at: toIso(occurredAt), eventId, seq, type, cause: { kind, ref }, isActiveAfter }
    }),
  }
}

function hintFor(
  { catalog }: ProjectState,
  { store, fold: { storeProductId } }: ExplainedCandidate['purchase'],
): string {
  const product = findStoreProduct(catalog, storeProductId, store)
  if (product)
    return `The product ${product.identifier} has the store id ${storeProductId} by now. The purchase gets it in the background; "svc purchases relink" shows the progress.`
  return `No product has the store id ${storeProductId} (${store}), so the purchase gives no access. Add the id to a product, or create a product with it; the purchase then gets it. "svc purchases waiting" lists all such ids.`
}
