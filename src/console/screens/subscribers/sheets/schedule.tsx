import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { DateInput } from '../../../kit/date-input'
import { Dialog } from '../../../kit/dialog'
import { Empty } from '../../../kit/empty'
import { Checkbox, Field } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { Because } from '../../../kit/mark'
import { toast } from '../../../kit/toast'
import { now } from '../../../lib/clock'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useOnce } from '../../../lib/use-once'
import { Choice, Choices } from '../../../parts/choices'
import { instantOf, wallOf } from '../../../parts/instants'
import { EventsOut, Preview, SideTable, usePreview } from '../../../parts/preview'
import { PERSON_PATHS, type Purchase, productName, usePerson, useProducts } from '../../../parts/use-person'
import { usePurchaseHint } from '../../../parts/use-purchase-hint'
import { nameOf, useWords } from '../../../parts/words'
import { useText } from '../../../text/catalogue'

const HOUR = 3_600_000
const ENDED = new Set(['EXPIRED', 'REFUNDED', 'REVOKED'])
const SCHEDULE = '/dashboard/projects/{projectId}/subscriptions/{purchaseId}/schedule'

/** Cancels a subscription at a time of one's choice. */
export function ScheduleSheet({ onClose }: { onClose: () => void }) {
  const { t } = useWords()
  const { purchases } = usePerson()
  const [wanted, choose] = useParam('purchase')
  const running = purchases.filter(
    ({ status, expiresAt, store }) => !ENDED.has(status) && (expiresAt !== null || store === 'MANUAL'),
  )
  // Held while the sheet is open: what comes in meanwhile must not put another purchase under the button.
  const [first] = useState(() => running.find(({ store }) => store !== 'IOS_STORE') ?? running[0])
  const chosen = running.find(({ id }) => id === (wanted || first?.id))
  return (
    <Dialog kind="sheet" title={t.scheduleTitle} onClose={onClose}>
      {chosen ? (
        <>
          <Which running={running} chosen={chosen} onChoose={choose} />
          {chosen.store === 'IOS_STORE' ? (
            <Because>{t.scheduleIos}</Because>
          ) : (
            <When key={chosen.id} purchase={chosen} onClose={onClose} />
          )}
        </>
      ) : (
        <Empty title={t.scheduleNone}>{t.scheduleNoneWhy}</Empty>
      )}
    </Dialog>
  )
}

interface WhichProps {
  running: readonly Purchase[]
  chosen: Purchase
  onChoose: (id: string) => void
}

function Which({ running, chosen, onChoose }: WhichProps) {
  const { t, store } = useWords()
  const hintOf = usePurchaseHint()
  const products = useProducts()
  return (
    <Choices label={t.scheduleWhich} isMany>
      {running.map((one) => (
        <Choice
          key={one.id}
          kind="radio"
          name="purchase"
          title={one.productId === null ? store('MANUAL') : productName(products, one)}
          hint={hintOf(one)}
          checked={one.id === chosen.id}
          onChange={() => onChoose(one.id)}
        />
      ))}
    </Choices>
  )
}

function When({ purchase, onClose }: { purchase: Purchase; onClose: () => void }) {
  const { t, reading } = useWords()
  const c = useText('common')
  const { path, can } = useProject()
  const { subscriber } = usePerson()
  const isGrant = purchase.store === 'MANUAL'
  const [wall, setWall] = useState(() => wallOf(now() + HOUR, reading.zone))
  const [endsAccess, setEndsAccess] = useState(isGrant)
  const dueAt = instantOf(wall, reading.zone)
  const body = { action: 'CANCEL' as const, dueAt: dueAt ?? wall, ...(endsAccess && { revokeImmediately: true }) }
  const params = { path: { ...path, purchaseId: purchase.id } }
  const once = useOnce()
  const preview = usePreview(
    [purchase.id, body],
    () =>
      api.post(SCHEDULE, { params, body: { ...body, dryRun: true } }) as Promise<unknown> as Promise<
        Schemas['SchedulePreview']
      >,
    dueAt !== null,
  )
  const action = useAction({
    run: () => once([purchase.id, body], (header) => api.post(SCHEDULE, { params: { ...params, header }, body })),
    refreshes: PERSON_PATHS,
    onDone: () => {
      toast(t.scheduleDone)
      onClose()
    },
  })
  return (
    <Form
      onSubmit={() => action.submit(undefined)}
      submit={t.scheduleSubmit}
      busy={action.busy}
      error={action.error}
      onCancel={onClose}
      isWaiting={preview.isWaiting}
      reason={can('subscribers:write') ? (preview.error?.message ?? null) : c.roleNeeded('DEVELOPER')}
    >
      <Field label={t.scheduleAt} name="dueAt" hint={t.zoneHint(reading.zone)}>
        <DateInput hasTime value={wall} onChange={setWall} />
      </Field>
      {isGrant && <Checkbox checked={endsAccess} onChange={setEndsAccess} label={t.scheduleEnd} />}
      <Preview preview={preview}>
        {(data) => (
          <>
            <SideTable
              side={{ id: subscriber.id, name: nameOf(subscriber), access: data.access, balances: data.balances }}
            />
            <EventsOut types={data.eventTypes} />
          </>
        )}
      </Preview>
    </Form>
  )
}
