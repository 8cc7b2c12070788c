import { useEffect, useMemo, useState } from 'react'
import { api } from '../../api/client'
import { useAction, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { isSame } from '../../kit/draft'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Field, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { ProjectFilePart } from '../../kit/project-file'
import { toast } from '../../kit/toast'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { ratesAsFile } from './as-file'

type Store = keyof Schemas['CommissionRates']['rates']
type Rates = Record<Store, number | null>
type Texts = Record<Store, string>

const STORES = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT'] as const satisfies readonly Store[]

/** What the stores keep of a charge. The project file is the place where the saved rates can be read. */
export function CommissionRates({ reason }: { reason: string | null }) {
  const t = useText('settings')
  const { path } = useProject()
  const file = useRead('/dashboard/projects/{projectId}/project-file', {
    params: { path, query: { format: 'json' } },
  })
  return (
    <Card title={t.commission}>
      <div className="grid max-w-xl gap-4">
        <p className="text-sm text-ink-2">{t.commissionPurpose}</p>
        {file.data && <RatesForm json={file.data.json} reason={reason} />}
        {!file.data && file.error && <Failure error={file.error} onRetry={() => void file.refetch()} />}
        {!file.data && !file.error && <Skeleton lines={3} />}
      </div>
    </Card>
  )
}

function ratesOf(json: string | null): Rates {
  const { stores } = JSON.parse(json ?? '{}') as { stores?: { commissionRates?: Partial<Rates> } }
  return { IOS_STORE: null, ANDROID_STORE: null, PAYMENT: null, ...stores?.commissionRates }
}

function RatesForm({ json, reason }: { json: string | null; reason: string | null }) {
  const t = useText('settings')
  const c = useText('common')
  const { path } = useProject()
  const saved = useMemo(() => textsOf(ratesOf(json)), [json])
  const [own, setOwn] = useOwnTexts(path.projectId)
  // Saved values follow the server again.
  useEffect(() => setOwn((now) => ownOf(now, saved)), [saved, setOwn])
  const typed = { ...saved, ...own }
  const action = useAction({
    run: () =>
      api.put('/dashboard/projects/{projectId}/commission-rates', {
        params: { path },
        body: { rates: toRates(typed) },
      }),
    refreshes: ['/dashboard/projects/{projectId}'],
    onDone: () => toast(c.savedName(t.commission)),
  })
  return (
    <>
      <Form
        submit={t.saveRates}
        busy={action.busy}
        error={action.error}
        reason={reason}
        onSubmit={() => action.submit(undefined)}
      >
        {STORES.map((store) => (
          <Field key={store} label={t.ratesOf[store]} hint={t.rateHint} name={`rates.${store}`} isOptional>
            <TextInput
              type="number"
              min={0}
              max={100}
              step="any"
              value={typed[store]}
              disabled={reason !== null}
              onChange={(event) => setOwn(ownOf({ ...own, [store]: event.target.value }, saved))}
            />
          </Field>
        ))}
      </Form>
      <ProjectFilePart
        isInside
        kind="store"
        identifier="commissionRates"
        changedAs={isSame(typed, saved) ? null : ratesAsFile(toRates(typed))}
      />
    </>
  )
}

/** The unsaved draft. It outlives a reload, and another screen. */
function useOwnTexts(projectId: string) {
  const key = `svc.draft.rates.${projectId}`
  const [own, setOwn] = useState(() => JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Texts>)
  useEffect(() => {
    if (Object.keys(own).length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(own))
  }, [key, own])
  return [own, setOwn] as const
}

const SCALE = 1e6

/** The texts that differ from the saved ones. */
const ownOf = (texts: Partial<Texts>, saved: Texts): Partial<Texts> =>
  Object.fromEntries(Object.entries(texts).filter(([store, text]) => text !== saved[store as Store]))

const textsOf = (rates: Rates): Texts => {
  const text = (rate: number | null) => (rate === null ? '' : String(Math.round(rate * 100 * SCALE) / SCALE))
  return { IOS_STORE: text(rates.IOS_STORE), ANDROID_STORE: text(rates.ANDROID_STORE), PAYMENT: text(rates.PAYMENT) }
}

/** Per cent as typed to the fractions of the API. */
const toRates = (typed: Texts): Rates => {
  const rate = (text: string) => (text.trim() === '' ? null : Math.round((Number(text) / 100) * SCALE) / SCALE)
  return { IOS_STORE: rate(typed.IOS_STORE), ANDROID_STORE: rate(typed.ANDROID_STORE), PAYMENT: rate(typed.PAYMENT) }
}
