import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Confirm, Dialog } from '../../../kit/dialog'
import { FormFailure } from '../../../kit/failure'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { PATH, type Settings } from './model'

interface SwitchProps {
  settings: Settings
  reason: string | null
  onClose: () => void
}

/** Saves a change of the settings, unless another person has changed them since they were shown. */
export function useChange({ revision }: Settings, onDone: () => void = () => {}) {
  const common = useText('common')
  const { path } = useProject()
  return useAction({
    run: (body: Parameters<typeof api.put<typeof PATH>>[1]['body']) =>
      api.put(PATH, { params: { path, header: { 'If-Match': `"${revision}"` } }, body }),
    refreshes: [PATH],
    onDone: () => {
      toast(common.savedName(common.formerSdk))
      onDone()
    },
  })
}

/** Says what it means before a public key may address people by their ids. */
export function OpenDoor({ settings, reason, onClose }: SwitchProps) {
  const t = useText('moving')
  const common = useText('common')
  const change = useChange(settings, onClose)
  return (
    <Dialog title={t.startAnswering} onClose={onClose}>
      <FormFailure error={change.error} />
      <p className="text-sm text-ink-2">{t.startAnsweringMeans}</p>
      <div className="flex justify-end gap-2 pt-2">
        <Button data-first onClick={onClose}>
          {common.cancel}
        </Button>
        <Button variant="primary" onClick={() => change.submit({ enabled: true })} busy={change.busy} reason={reason}>
          {t.startAnswering}
        </Button>
      </div>
    </Dialog>
  )
}

export function CloseDoor({ settings, reason, onClose }: SwitchProps) {
  const t = useText('moving')
  const change = useChange(settings, onClose)
  return (
    <Confirm
      title={t.stopAnswering}
      action={t.stopAnswering}
      onConfirm={() => change.submit({ enabled: false })}
      onClose={onClose}
      busy={change.busy}
      error={change.error}
      reason={reason}
    >
      <p>{t.stopAnsweringMeans}</p>
    </Confirm>
  )
}

export function TestStoreWarning({ settings, reason }: Omit<SwitchProps, 'onClose'>) {
  const t = useText('moving')
  const change = useChange(settings)
  return (
    <div
      role="note"
      className="flex flex-wrap items-center justify-between gap-3 rounded-control bg-warn-soft px-3 py-2 text-sm"
    >
      <p className="min-w-0 grow basis-64 text-warn">{t.testStoreOpen}</p>
      <Button onClick={() => change.submit({ testStore: false })} busy={change.busy} reason={reason}>
        {t.closeTestStore}
      </Button>
      <FormFailure error={change.error} />
    </div>
  )
}
