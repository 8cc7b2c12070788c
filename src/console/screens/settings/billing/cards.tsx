import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Card as Panel } from '../../../kit/card'
import { Dialog } from '../../../kit/dialog'
import { Empty, Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Chip } from '../../../kit/state'
import { toast } from '../../../kit/toast'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { useProject } from '../../../lib/session'
import { Removal } from '../../../parts/removal'
import { useText } from '../../../text/catalogue'
import { BILLING, type Billing, CARDS, type Card, cardExpiry, cardName } from './billing-model'
import { ConfirmCard } from './confirm-card'
import { useBillingReason, useCards } from './use-billing'

/** The cards of the present owner. */
export function Cards({ billing }: { billing: Billing }) {
  const t = useText('billing')
  const found = useCards()
  const [removed, setRemoved] = useState<Card | null>(null)
  return (
    <Panel title={t.cards} aside={<AddCard billing={billing} />}>
      {found.data ? (
        <>
          {found.data.items.length === 0 && <Empty title={t.noCards}>{t.noCardsHint}</Empty>}
          <ul className="divide-y divide-line">
            {found.data.items.map((card) => (
              <CardRow key={card.id} card={card} onRemove={() => setRemoved(card)} />
            ))}
          </ul>
        </>
      ) : found.error ? (
        <Failure error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Skeleton lines={3} />
      )}
      {removed && <RemoveCard card={removed} onClose={() => setRemoved(null)} />}
    </Panel>
  )
}

function AddCard({ billing }: { billing: Billing }) {
  const t = useText('billing')
  const { path } = useProject()
  const reason = useBillingReason()
  const action = useAction({
    run: () => api.post(CARDS, { params: { path }, body: {} }),
    onFailure: useFailureToast(),
  })
  return (
    <>
      <Button reason={reason} busy={action.busy} onClick={() => action.submit(undefined)}>
        {t.addCard}
      </Button>
      {action.result && (
        <Dialog title={t.addCard} onClose={action.reset}>
          <ConfirmCard secret={action.result.setupClientSecret} kind="setup" billing={billing} onDone={action.reset} />
        </Dialog>
      )}
    </>
  )
}

function CardRow({ card, onRemove }: { card: Card; onRemove: () => void }) {
  const t = useText('billing')
  const c = useText('common')
  const { path } = useProject()
  const reason = useBillingReason()
  const name = cardName(card)
  const action = useAction({
    run: () => api.post(`${CARDS}/{id}/default`, { params: { path: { ...path, id: card.id } }, body: {} }),
    refreshes: [BILLING],
    onDone: () => toast(t.charged(name)),
    onFailure: useFailureToast(),
  })
  return (
    <li className="grid gap-2 py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">{name}</span>
        <span className="flex items-center gap-2 text-ink-2 tabular-nums">
          {t.expires(cardExpiry(card))}
          {card.isDefault && <Chip tone="info">{t.isCharged}</Chip>}
        </span>
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        {!card.isDefault && (
          <Button reason={reason} busy={action.busy} onClick={() => action.submit(undefined)}>
            {t.makeDefault} <span className="sr-only">{name}</span>
          </Button>
        )}
        <Button variant="quiet" reason={reason} onClick={onRemove}>
          {c.remove} <span className="sr-only">{name}</span>
        </Button>
      </div>
    </li>
  )
}

/** A refusal is shown in the dialog: the last card of a plan that runs stays. */
function RemoveCard({ card, onClose }: { card: Card; onClose: () => void }) {
  const t = useText('billing')
  const { path } = useProject()
  return (
    <Removal
      title={t.removeCard(cardName(card))}
      word={t.removeThisCard}
      done={t.cardRemoved(cardName(card))}
      run={() => api.delete(`${CARDS}/{id}`, { params: { path: { ...path, id: card.id } } })}
      refreshes={[BILLING]}
      onClose={onClose}
    >
      <p>{t.removeCardEffect}</p>
    </Removal>
  )
}
