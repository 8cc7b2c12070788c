import { type ReactNode, useState } from 'react'
import { useAction, useRefresh } from '../../../api/queries'
import { newerRevision } from '../../../api/revision'
import { Dialog } from '../../../kit/dialog'
import { Switch } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { ProjectFilePart } from '../../../kit/project-file'
import { toast } from '../../../kit/toast'
import type { FileDraft } from '../../../lib/file-draft'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { Conflict } from '../shared/conflict'
import { PATHS, type StoreName } from './model'
import { useCredentialsRefusal } from './refusal'

/** What each of the calls that save credentials takes besides its body. */
interface SaveParams {
  path: { projectId: string }
  query: { probe?: 'false' }
  header: { 'If-Match': string }
}

interface StoreSheetProps {
  store: StoreName
  title: string
  revision: number
  save: (params: SaveParams) => Promise<{ probed: string[] }>
  /** The store of the project file as the form would save it; null while nothing is changed. */
  changedAs: FileDraft | null
  onClose: () => void
  reason: string | null
  children: ReactNode
}

/** The form of a store's credentials, which are tried at the store before they are saved. */
export function StoreSheet(props: StoreSheetProps) {
  const { store, title, revision, changedAs, onClose, reason, children } = props
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const [isProbed, setProbed] = useState(true)
  const [begun] = useState(revision)
  const refresh = useRefresh()
  const save = useAction({
    run: async (expected: number) =>
      props.save({ path, query: isProbed ? {} : { probe: 'false' }, header: { 'If-Match': `"${expected}"` } }),
    refreshes: [PATHS.credentials, PATHS.apps],
    onDone: ({ probed }) => {
      toast(probed.length > 0 ? t.savedAndTried : isProbed ? t.savedWithoutKeys : common.saved)
      onClose()
    },
  })
  const error = useCredentialsRefusal(save.error)
  const load = () => {
    refresh(PATHS.credentials, PATHS.apps)
    onClose()
  }
  return (
    <Dialog title={title} kind="sheet" onClose={onClose}>
      {/* Credentials are never shown, so only who changed them and when can be said. */}
      <Conflict error={save.error} before={{}} now={null} onLoad={load} onOverwrite={save.submit} />
      <Form
        onSubmit={() => save.submit(begun)}
        submit={isProbed ? t.tryAndSave : common.save}
        busy={save.busy}
        error={newerRevision(save.error) === null ? error : null}
        onCancel={onClose}
        reason={reason}
      >
        {children}
        <Switch checked={isProbed} onChange={setProbed} label={t.probe} />
      </Form>
      <ProjectFilePart isInside kind="store" identifier={store} revision={revision} changedAs={changedAs} />
    </Dialog>
  )
}
