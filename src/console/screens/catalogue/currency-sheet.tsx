import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { ConflictDialog } from '../../kit/conflict'
import { Dialog } from '../../kit/dialog'
import { FormFailure } from '../../kit/failure'
import { Field, Select, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { toast } from '../../kit/toast'
import { useFailureToast } from '../../kit/use-failure-toast'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { CurrencyFile } from './files'
import { FILE } from './use-catalogue'
import { CURRENCIES, CURRENCY, type CurrencyState, useCurrencyEdit } from './use-currency-edit'

interface CurrencySheetProps {
  currency: Schemas['VirtualCurrency'] | null
  reason: string | null
  onClose: () => void
}

/** One currency, new or to be changed. */
export function CurrencySheet({ currency, reason, onClose }: CurrencySheetProps) {
  const t = useText('catalogue')
  const common = useText('common')
  const edit = useCurrencyEdit(currency, onClose)
  const { value, set, discard } = edit.draft
  const put = (change: Partial<CurrencyState>) => set((state) => ({ ...state, ...change }))
  const close = () => {
    discard()
    onClose()
  }
  return (
    <Dialog kind="sheet" title={currency?.code ?? t.newCurrency} onClose={close}>
      <ConflictDialog edit={edit} />
      <Form
        submit={currency ? common.save : common.create}
        busy={edit.busy}
        error={edit.error}
        reason={reason}
        onCancel={close}
        onSubmit={edit.save}
      >
        <Field label={t.code} name="code" hint={t.codeHint}>
          <TextInput
            data-first
            className="font-mono"
            maxLength={64}
            value={value.code}
            onChange={({ target }) => put({ code: target.value })}
          />
        </Field>
        <Field label={common.name} name="name">
          <TextInput maxLength={255} value={value.name} onChange={({ target }) => put({ name: target.value })} />
        </Field>
        <Field label={t.clawback} name="clawback" hint={t.clawbackHint}>
          <Select
            value={value.clawback ?? 'default'}
            onChange={({ target }) => put({ clawback: clawbackOf(target.value) })}
            options={(['default', 'none', 'available', 'full'] as const).map((one) => [one, t.clawbacks[one]] as const)}
          />
        </Field>
      </Form>
      {currency && <Archive currency={currency} reason={reason} onDone={close} />}
      <CurrencyFile currency={currency} edit={edit} />
    </Dialog>
  )
}

const clawbackOf = (text: string): CurrencyState['clawback'] =>
  text === 'none' || text === 'available' || text === 'full' ? text : null

interface ArchiveProps {
  currency: Schemas['VirtualCurrency']
  reason: string | null
  onDone: () => void
}

/** Archiving keeps the balances; creating the same code again brings the currency back. */
function Archive({ currency, reason, onDone }: ArchiveProps) {
  const failed = useFailureToast()
  const t = useText('catalogue')
  const { path } = useProject()
  const { id, code, name, clawback, archivedAt, revision } = currency
  const refreshes = [CURRENCIES, FILE]
  const restore = useAction({
    run: () => api.post(CURRENCIES, { params: { path }, body: { code, name, clawback } }),
    refreshes,
    onDone: () => {
      toast(t.restored(code))
      onDone()
    },
    onFailure: failed,
  })
  const archive = useAction({
    run: () => api.delete(CURRENCY, { params: { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } } }),
    refreshes,
    onDone: () => {
      onDone()
      toast(t.archivedNow(code), { onUndo: () => restore.submit(undefined) })
    },
  })
  const action = archivedAt === null ? archive : restore
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      <FormFailure error={action.error} />
      <div className="flex items-center justify-between gap-3 text-sm text-ink-2">
        <span>{archivedAt === null ? t.archiveHint : t.restoreHint}</span>
        <Button busy={action.busy} reason={reason} onClick={() => action.submit(undefined)}>
          {archivedAt === null ? t.archive : t.restore}
        </Button>
      </div>
    </div>
  )
}
