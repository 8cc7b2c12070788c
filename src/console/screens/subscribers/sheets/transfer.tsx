import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction, useList, useRead } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Button } from '../../../kit/button'
import { CopyText } from '../../../kit/copy'
import { Dialog } from '../../../kit/dialog'
import { FormFailure } from '../../../kit/failure'
import { Form } from '../../../kit/form'
import { toast } from '../../../kit/toast'
import { Money } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useOnce } from '../../../lib/use-once'
import { Choice, Choices } from '../../../parts/choices'
import { Identicon } from '../../../parts/identicon'
import { EventsOut, firstReason, Preview, SideTable, usePreview } from '../../../parts/preview'
import { PERSON_PATHS, productName, usePerson, useProducts } from '../../../parts/use-person'
import { usePurchaseHint } from '../../../parts/use-purchase-hint'
import { nameOf, useWords } from '../../../parts/words'
import { useText } from '../../../text/catalogue'
import { SearchField, termOf } from '../search-field'
import { useUndo } from '../transfers'

const TRANSFER = '/dashboard/projects/{projectId}/subscribers/{id}/transfer'

/** Moves everything, or single purchases, to another person. Both sides are shown before. */
export function TransferSheet({ onClose }: { onClose: () => void }) {
  const { t } = useWords()
  const [to, setTo] = useParam('to')
  const close = () => {
    setTo(null)
    onClose()
  }
  return (
    <Dialog kind="sheet" title={t.transferTitle} onClose={close}>
      {to === '' ? <Find onFind={setTo} /> : <Terms to={to} onOther={() => setTo(null)} onClose={close} />}
    </Dialog>
  )
}

function Find({ onFind }: { onFind: (id: string) => void }) {
  const { t } = useWords()
  const { path } = useProject()
  const { subscriber } = usePerson()
  const [q, setQ] = useState('')
  const term = termOf(q)
  const found = useList(
    '/dashboard/projects/{projectId}/subscribers',
    { params: { path, query: { q: term, limit: 8 } } },
    { enabled: term !== '' },
  )
  const others = found.items.filter(({ id }) => id !== subscriber.id)
  return (
    <>
      <div className="grid gap-1">
        <p className="text-sm font-medium">{t.toWhom}</p>
        <SearchField label={t.toWhom} placeholder={t.toWhomHint} value={q} onChange={setQ} />
      </div>
      {found.error && <FormFailure error={found.error} />}
      {term !== '' && !found.isLoading && !found.error && others.length === 0 && (
        <p role="status" className="text-sm text-ink-2">
          {t.toNobody}
        </p>
      )}
      <ul aria-label={t.toWhom} className="grid gap-1">
        {others.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              onClick={() => onFind(one.id)}
              className="flex min-h-9 w-full items-center gap-2 rounded-inner px-2 text-left hover:bg-hover"
            >
              <Identicon id={one.id} />
              <span className="min-w-0 flex-1 truncate font-medium">{nameOf(one)}</span>
              <span className="max-w-28 truncate font-mono text-xs text-ink-2">{one.id}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function Terms({ to, onOther, onClose }: { to: string; onOther: () => void; onClose: () => void }) {
  const { t } = useWords()
  const c = useText('common')
  const { path, can } = useProject()
  const { subscriber } = usePerson()
  const target = useRead('/dashboard/projects/{projectId}/subscribers/{id}', { params: { path: { ...path, id: to } } })
  const [chosen, setChosen] = useState<readonly string[] | null>(null)
  const body = { toSubscriberId: to, ...(chosen !== null && { purchaseIds: [...chosen] }) }
  const params = { path: { ...path, id: subscriber.id } }
  const once = useOnce()
  const isReady = chosen === null || chosen.length > 0
  const preview = usePreview(
    [subscriber.id, body],
    () => api.post(TRANSFER, { params, body: { ...body, dryRun: true } }),
    isReady,
  )
  const undo = useUndo()
  const action = useAction({
    run: () => once([subscriber.id, body], (header) => api.post(TRANSFER, { params: { ...params, header }, body })),
    refreshes: [...PERSON_PATHS, '/dashboard/projects/{projectId}/transfers'],
    onDone: ({ transferId }) => {
      toast(t.transferDone, { ...(transferId !== null && { onUndo: () => undo.submit(transferId) }) })
      onClose()
    },
  })
  return (
    <Form
      onSubmit={() => action.submit(undefined)}
      submit={chosen === null ? t.transferAll : t.transferSome(chosen.length)}
      busy={action.busy}
      error={action.error}
      onCancel={onClose}
      isWaiting={preview.isWaiting}
      reason={firstReason(
        can('subscribers:write') ? null : c.roleNeeded('DEVELOPER'),
        isReady ? null : t.choosePurchases,
        preview.error,
      )}
    >
      <div className="flex min-w-0 items-center gap-2 rounded-control border border-line px-3 py-2">
        <Identicon id={to} />
        <span className="min-w-0 flex-1 truncate font-medium">
          {target.data ? nameOf(target.data.subscriber) : <CopyText text={to} />}
        </span>
        <Button variant="quiet" onClick={onOther}>
          {t.chooseOther}
        </Button>
      </div>
      {target.error && <FormFailure error={target.error} />}
      <What chosen={chosen} onChoose={setChosen} />
      <Preview preview={preview}>
        {(data) => <Sides data={data} toName={target.data ? nameOf(target.data.subscriber) : to} />}
      </Preview>
      <p className="text-sm text-ink-2">{t.undoFor}</p>
    </Form>
  )
}

interface WhatProps {
  chosen: readonly string[] | null
  onChoose: (chosen: readonly string[] | null) => void
}

function What({ chosen, onChoose }: WhatProps) {
  const { t, store } = useWords()
  const hintOf = usePurchaseHint()
  const { purchases } = usePerson()
  const products = useProducts()
  return (
    <>
      <Choices label={t.moveWhat}>
        <Choice kind="radio" name="what" title={t.moveAll} checked={chosen === null} onChange={() => onChoose(null)} />
        <Choice
          kind="radio"
          name="what"
          title={t.moveSome}
          checked={chosen !== null}
          disabled={purchases.length === 0}
          onChange={() => onChoose(purchases.slice(0, 1).map(({ id }) => id))}
        />
      </Choices>
      {chosen !== null && (
        <Choices label={t.purchases} isMany>
          {purchases.slice(0, 100).map((one) => (
            <Choice
              key={one.id}
              kind="checkbox"
              name="purchase"
              title={one.productId === null ? store('MANUAL') : productName(products, one)}
              hint={hintOf(one)}
              aside={one.price && <Money micros={one.price.amountMicros} currency={one.price.currency} />}
              checked={chosen.includes(one.id)}
              onChange={(isOn) => onChoose(isOn ? [...chosen, one.id] : chosen.filter((id) => id !== one.id))}
            />
          ))}
        </Choices>
      )}
    </>
  )
}

function Sides({ data, toName }: { data: Schemas['OperatorTransfer']; toName: string }) {
  const { t } = useWords()
  const { subscriber } = usePerson()
  const sideOf = (side: 'from' | 'to', id: string, name: string) => ({
    id,
    name,
    access: { before: data.accessBefore[side], after: data.accessAfter[side] },
    balances: { before: data.balancesBefore?.[side] ?? {}, after: data.balancesAfter?.[side] ?? {} },
  })
  return (
    <>
      <SideTable side={sideOf('from', data.fromSubscriberId, nameOf(subscriber))} />
      <SideTable side={sideOf('to', data.toSubscriberId, toName)} />
      {data.experimentsDropped.length > 0 && (
        <p className="text-sm text-warn">{t.dropped(data.experimentsDropped.join(', '))}</p>
      )}
      <EventsOut types={[...(data.eventTypes?.from ?? []), ...(data.eventTypes?.to ?? [])]} />
    </>
  )
}
