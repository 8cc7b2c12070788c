import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Dialog } from '../../../kit/dialog'
import { Field, Select } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { Menu } from '../../../kit/menu'
import { toast } from '../../../kit/toast'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { Removal } from '../../../parts/removal'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { type Integration, PATH } from './draft'
import { EditIntegration } from './edit'
import { providerOf, titleOf } from './providers'

export function IntegrationActions({ integration }: { integration: Integration }) {
  const failed = useFailureToast()
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const { needsRole } = useRights()
  const [doing, setDoing] = useParam('do')
  const admin = needsRole('ADMIN')
  const at = { path: { ...path, id: integration.id } }
  const provider = providerOf(integration.provider)
  const test = useAction({
    run: () => api.post(`${PATH}/{id}/test`, { params: at, body: {} }),
    refreshes: [PATH],
    onDone: () => toast(t.testSent),
    onFailure: failed,
  })
  const toggle = useAction({
    run: (isEnabled: boolean) => api.patch(`${PATH}/{id}`, { params: at, body: { isEnabled } }),
    refreshes: [PATH],
    onDone: (_, isEnabled) =>
      toast(isEnabled ? t.enabledNow : t.disabledNow, { onUndo: () => toggle.submit(!isEnabled) }),
    onFailure: failed,
  })
  const open = (name: string) => () => setDoing(name, { push: true })
  const close = () => setDoing(null)
  return (
    <>
      <Button onClick={() => test.submit(undefined)} busy={test.busy} reason={needsRole('DEVELOPER')}>
        {t.sendTest}
      </Button>
      <Button data-edit onClick={open('edit')} reason={admin}>
        {common.edit}
      </Button>
      <Menu
        className="inline-flex h-7.5 items-center gap-1.5 rounded-control border border-line-2 bg-surface px-3 text-sm font-medium hover:bg-hover max-md:h-9"
        label={
          <>
            {common.more} <ChevronDown aria-hidden size={14} />
          </>
        }
        items={[
          {
            label: integration.isEnabled ? t.disable : t.enable,
            onSelect: () => toggle.submit(!integration.isEnabled),
            reason: admin,
          },
          { label: t.backfill, onSelect: open('backfill'), reason: admin },
          'line',
          { label: common.delete, onSelect: open('delete'), isDangerous: true, reason: admin },
        ]}
      />
      {doing === 'edit' && provider && (
        <EditIntegration integration={integration} provider={provider} onClose={close} reason={admin} />
      )}
      {doing === 'backfill' && <Backfill id={integration.id} onClose={close} reason={admin} />}
      {doing === 'delete' && <Delete integration={integration} onClose={close} reason={admin} />}
    </>
  )
}

interface BackfillProps {
  id: string
  onClose: () => void
  reason: string | null
}

/** Sends what happened in the last days, at most a week. */
function Backfill({ id, onClose, reason }: BackfillProps) {
  const t = useText('connections')
  const { path } = useProject()
  const [days, setDays] = useState(1)
  const fill = useAction({
    run: () => api.post(`${PATH}/{id}/backfill`, { params: { path: { ...path, id } }, body: { days } }),
    refreshes: [PATH],
    onDone: ({ queued }) => {
      toast(t.queued(queued))
      onClose()
    },
  })
  return (
    <Dialog title={t.backfill} onClose={onClose}>
      <Form
        onSubmit={() => fill.submit(undefined)}
        submit={t.backfill}
        busy={fill.busy}
        error={fill.error}
        onCancel={onClose}
        reason={reason}
      >
        <p className="text-sm text-ink-2">{t.backfillHint}</p>
        <Field label={t.backfillDays} name="days">
          <Select
            data-first
            value={String(days)}
            onChange={({ target }) => setDays(Number(target.value))}
            options={[1, 2, 3, 4, 5, 6, 7].map((one) => [String(one), t.days(one)])}
          />
        </Field>
      </Form>
    </Dialog>
  )
}

interface DeleteProps {
  integration: Integration
  onClose: () => void
  reason: string | null
}

function Delete({ integration: { id, provider, revision }, onClose, reason }: DeleteProps) {
  const t = useText('connections')
  const common = useText('common')
  const { path, base } = useProject()
  const name = t.deleteOf(titleOf(provider))
  return (
    <Removal
      title={name}
      reason={reason}
      done={common.deletedName(titleOf(provider))}
      run={() =>
        api.delete(`${PATH}/{id}`, { params: { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } } })
      }
      refreshes={[PATH]}
      next={`${base}/connections/integrations`}
      onClose={onClose}
    >
      <p>{t.deleteIntegrationHint}</p>
    </Removal>
  )
}
