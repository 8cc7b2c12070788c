import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Dialog } from '../../../kit/dialog'
import { Form } from '../../../kit/form'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { PATH } from './model'
import { bodyOf, EMPTY_RUN, RunFields } from './run-fields'

export function StartRun({ onClose }: { onClose: () => void }) {
  const t = useText('moving')
  const { path, base } = useProject()
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState(EMPTY_RUN)
  const start = useAction({
    run: () => api.post(`${PATH}/runs`, { params: { path }, body: { ...bodyOf(draft), key: draft.key } }),
    refreshes: [PATH],
    onDone: ({ id }) => navigate(`${base}/connections/comparisons/${id}`),
  })
  return (
    <Dialog title={t.startComparison} kind="sheet" onClose={onClose}>
      <p className="text-sm text-ink-2">{t.startComparisonHint}</p>
      <Form
        onSubmit={() => start.submit(undefined)}
        submit={t.startComparison}
        busy={start.busy}
        error={start.error}
        onCancel={onClose}
      >
        <RunFields draft={draft} onChange={setDraft} keyHint={t.vendorKeyHint} />
      </Form>
    </Dialog>
  )
}
