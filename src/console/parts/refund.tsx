import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../api/client'
import { ApiFailure } from '../api/failure'
import { useAction } from '../api/queries'
import type { Schemas } from '../api/schemas'
import { Button } from '../kit/button'
import { Dialog } from '../kit/dialog'
import { Empty } from '../kit/empty'
import { FormFailure } from '../kit/failure'
import { Field, TextInput } from '../kit/field'
import { Because } from '../kit/mark'
import { toast } from '../kit/toast'
import { Money } from '../kit/values'
import { roleFor, useProject } from '../lib/session'
import { useParam } from '../lib/url-state'
import { useOnce } from '../lib/use-once'
import { useText } from '../text/catalogue'
import { Choice, Choices } from './choices'
import { EventsOut, Preview, SideTable, usePreview } from './preview'
import { useHref } from './use-href'
import { PERSON_PATHS, type Purchase, productName, usePerson, useProducts } from './use-person'
import { usePurchaseHint } from './use-purchase-hint'
import { useWords } from './words'

/** Chooses one of the person's purchases and refunds its last charge. */
export function RefundSheet({ onClose }: { onClose: () => void }) {
  const { t, store } = useWords()
  const hintOf = usePurchaseHint()
  const { purchases } = usePerson()
  const products = useProducts()
  const [wanted, choose] = useParam('purchase')
  const refusalOf = useRefusal()
  // Held while the dialog is open: what comes in meanwhile must not put another purchase under the button.
  const [first] = useState(
    () =>
      purchases.find((one) => refusalOf(one) === null) ??
      purchases.find(({ store }) => store !== 'MANUAL') ??
      purchases[0],
  )
  const chosen = purchases.find(({ id }) => id === (wanted || first?.id))
  if (!chosen)
    return (
      <Dialog title={t.refundTitle} onClose={onClose}>
        <Empty title={t.nothingToRefund}>{t.noPurchases}</Empty>
      </Dialog>
    )
  return (
    <RefundDialog
      key={chosen.id}
      target={{ purchaseId: chosen.id }}
      refusal={refusalOf(chosen)}
      isIos={chosen.store === 'IOS_STORE'}
      onClose={onClose}
    >
      <Choices label={t.refundWhich} isMany>
        {shownFirst(purchases, (one) => refusalOf(one) === null).map((one) => (
          <Choice
            key={one.id}
            kind="radio"
            name="purchase"
            title={one.productId === null ? store('MANUAL') : productName(products, one)}
            hint={`${hintOf(one)}${refusalOf(one) === null ? '' : ` · ${t.cannotRefund}`}`}
            aside={one.price && <Money micros={one.price.amountMicros} currency={one.price.currency} />}
            checked={one.id === chosen.id}
            onChange={() => choose(one.id)}
          />
        ))}
      </Choices>
    </RefundDialog>
  )
}

/** Those of which something can be refunded, then the others; each in the order of before. */
const shownFirst = (purchases: readonly Purchase[], isFirst: (one: Purchase) => boolean): Purchase[] => [
  ...purchases.filter(isFirst),
  ...purchases.filter((one) => !isFirst(one)),
]

/** Why the store cannot refund, as far as it is known before it is asked. */
export function useRefusal(): (
  purchase: Pick<Purchase, 'store' | 'isTrial' | 'refundedAt' | 'status'>,
) => string | null {
  const { t } = useWords()
  return ({ store, isTrial, refundedAt, status }) => {
    if (store === 'IOS_STORE') return t.refundIos
    if (store === 'MANUAL') return t.refundManual
    if (status === 'REFUNDED' || refundedAt !== null) return t.refundGiven
    return isTrial ? t.refundTrial : null
  }
}

interface RefundDialogProps {
  target: { purchaseId: string } | { transactionId: string }
  refusal: string | null
  isIos: boolean
  onClose: () => void
  children?: React.ReactNode
}

/** The effect of a refund as a table, and the button that names it. What the store refuses is said beforehand. */
export function RefundDialog({ target, refusal, isIos, onClose, children }: RefundDialogProps) {
  const { t, money } = useWords()
  const c = useText('common')
  const href = useHref()
  const { can } = useProject()
  const [reason, setReason] = useState('')
  const [isWhole, setWhole] = useState(false)
  const send = useRefundCall(target, reason.trim(), isWhole)
  const mayNot = can('refunds:write') ? null : c.roleNeeded(roleFor('refunds:write'))
  const preview = usePreview([target, isWhole], () => send(true), refusal === null && mayNot === null)
  const needsWhole = isOfWholeOrder(preview.error)
  // A part of the charge may have been given back at the store before: the server knows the rest.
  const amount = preview.data?.result.transaction.price
  const action = useAction({
    run: () => send(false),
    refreshes: PERSON_PATHS,
    onDone: () => {
      toast(t.refundDone)
      onClose()
    },
  })
  return (
    <Dialog title={t.refundTitle} onClose={onClose} isWide>
      <FormFailure error={action.error} />
      {children}
      {refusal === null ? (
        <>
          <Field label={t.reason} hint={t.reasonHint} isOptional>
            <TextInput maxLength={200} value={reason} onChange={(event) => setReason(event.target.value)} />
          </Field>
          {(needsWhole || isWhole) && (
            <Choice
              kind="checkbox"
              name="wholeOrder"
              title={t.refundWholeOrder}
              hint={t.refundWholeOrderHint}
              checked={isWhole}
              onChange={setWhole}
            />
          )}
          <Preview preview={needsWhole ? { ...preview, error: null } : preview}>
            {(data) => <Effect data={data} />}
          </Preview>
        </>
      ) : (
        <div className="grid gap-2 rounded-control bg-hover p-3">
          <Because>{refusal}</Because>
          {isIos && (
            <Link href={href('/revenue/refund-shield')} className="pl-5 text-sm text-accent hover:underline">
              {t.refundOpenShield}
            </Link>
          )}
        </div>
      )}
      <div className="flex justify-end gap-2 border-t border-line pt-4">
        <Button data-first onClick={onClose}>
          {refusal === null ? c.cancel : c.close}
        </Button>
        {refusal === null && (
          <Button
            variant="danger"
            busy={action.busy}
            disabled={preview.data === null}
            reason={mayNot ?? (needsWhole ? t.refundWholeOrderHint : preview.error?.message) ?? null}
            onClick={() => action.submit(undefined)}
          >
            {amount ? t.refundSubmit(money(Math.abs(amount.amountMicros), amount.currency)) : t.refund}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** Google Play refunds the charge only with its whole order, which has other products too. */
const isOfWholeOrder = (error: Error | null): boolean =>
  error instanceof ApiFailure && error.code === 'REFUND_NOT_POSSIBLE' && error.details.reason === 'whole_order'

function useRefundCall(target: RefundDialogProps['target'], reason: string, isWhole: boolean) {
  const { path } = useProject()
  const once = useOnce()
  const send = (body: Schemas['RefundRequest'], header = {}) => {
    const answer =
      'purchaseId' in target
        ? api.post('/dashboard/projects/{projectId}/subscriptions/{purchaseId}/refund', {
            params: { path: { ...path, purchaseId: target.purchaseId }, header },
            body,
          })
        : api.post('/dashboard/projects/{projectId}/transactions/{id}/refund', {
            params: { path: { ...path, id: target.transactionId }, header },
            body,
          })
    return answer as Promise<unknown> as Promise<Schemas['RefundPreview']>
  }
  const body = { ...(reason === '' ? {} : { reason }), ...(isWhole ? { wholeOrder: true } : {}) }
  return (dryRun: boolean) =>
    dryRun ? send({ ...body, dryRun }) : once([target, body], (header) => send(body, header))
}

function Effect({ data }: { data: Schemas['RefundPreview'] }) {
  const { t, store } = useWords()
  const { purchase, purchaseIds, transaction } = data.result
  return (
    <>
      {purchaseIds.length > 1 && <Because>{t.refundOthers(purchaseIds.length - 1)}</Because>}
      {transaction.price && (
        <p className="flex justify-between gap-3 text-sm">
          <span>{t.refundAmount}</span>
          <span className="font-medium">
            <Money micros={Math.abs(transaction.price.amountMicros)} currency={transaction.price.currency} />
          </span>
        </p>
      )}
      <SideTable
        side={{
          id: purchase.subscriberId,
          name: `${purchase.productIdentifier}, ${store(purchase.store)}`,
          access: data.access,
          balances: data.balances,
        }}
      />
      <EventsOut types={data.eventTypes} />
    </>
  )
}
