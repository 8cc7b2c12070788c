import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction, useRead } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Dialog } from '../../../kit/dialog'
import { Empty } from '../../../kit/empty'
import { Field, Select, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { toast } from '../../../kit/toast'
import { roleFor, useProject } from '../../../lib/session'
import { randomKey } from '../../../lib/use-once'
import { EventsOut, firstReason, Preview, SideTable, usePreview } from '../../../parts/preview'
import { PERSON_PATHS, usePerson } from '../../../parts/use-person'
import { nameOf, useWords } from '../../../parts/words'
import { useText } from '../../../text/catalogue'

/** Gives or takes virtual currency. A key per open sheet and content books once, whatever is sent twice. */
export function CreditsSheet({ onClose }: { onClose: () => void }) {
  const { t } = useWords()
  const c = useText('common')
  const { path, can } = useProject()
  const { subscriber, balances } = usePerson()
  const { data: currencies } = useRead('/dashboard/projects/{projectId}/virtual-currencies', {
    params: { path, query: { limit: 200 } },
  })
  const codes = (currencies?.items ?? []).filter(({ archivedAt }) => archivedAt === null).map(({ code }) => code)
  const [chosen, choose] = useState('')
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const [key] = useState(randomKey)
  const code = chosen || (codes[0] ?? '')
  const amount = /^[+-]?\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : 0
  const body = {
    code,
    amount,
    idempotencyKey: `${key}:${code}:${amount}`,
    ...(reason.trim() !== '' && { description: reason.trim() }),
  }
  const send = (extra: { dryRun?: true }): Promise<Schemas['Credits']> =>
    api.post('/dashboard/projects/{projectId}/subscribers/{id}/credits', {
      params: { path: { ...path, id: subscriber.id } },
      body: { ...body, ...extra },
    })
  const isReady = code !== '' && amount !== 0
  const preview = usePreview([subscriber.id, body], () => send({ dryRun: true }), isReady)
  const action = useAction({
    run: () => send({}),
    refreshes: PERSON_PATHS,
    onDone: () => {
      toast(t.creditsDone)
      onClose()
    },
  })
  if (currencies && codes.length === 0)
    return (
      <Dialog kind="sheet" title={t.creditsTitle} onClose={onClose}>
        <Empty title={t.noCurrencies}>{t.noCurrenciesWhy}</Empty>
      </Dialog>
    )
  return (
    <Dialog kind="sheet" title={t.creditsTitle} onClose={onClose}>
      <Form
        onSubmit={() => action.submit(undefined)}
        submit={t.creditsSubmit(isReady ? `${amount > 0 ? '+' : '−'}${Math.abs(amount)} ${code}` : '')}
        busy={action.busy}
        error={action.error}
        onCancel={onClose}
        isWaiting={preview.isWaiting}
        reason={firstReason(
          can('credits:write') ? null : c.roleNeeded(roleFor('credits:write')),
          isReady ? null : t.amountWrong,
          preview.error,
        )}
      >
        <Field label={t.currency} name="code">
          <Select
            value={code}
            onChange={(event) => choose(event.target.value)}
            options={codes.map((one) => [one, `${one} (${balances[one] ?? 0})`])}
          />
        </Field>
        <Field
          label={t.amount}
          name="amount"
          hint={t.amountHint}
          error={text.trim() !== '' && amount === 0 && !/^[+-]$/.test(text.trim()) ? t.amountWrong : null}
        >
          <TextInput data-first inputMode="numeric" value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        <Field label={t.reason} name="description" hint={t.reasonHint} isOptional>
          <TextInput maxLength={200} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
        <Preview preview={preview}>
          {(data) => (
            <>
              <SideTable
                side={{
                  id: subscriber.id,
                  name: nameOf(subscriber),
                  access: { before: {}, after: {} },
                  balances: { before: { [code]: data.balances.before }, after: { [code]: data.balances.after } },
                }}
              />
              <EventsOut types={data.eventTypes} />
            </>
          )}
        </Preview>
      </Form>
    </Dialog>
  )
}
