import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import { Button } from '../../kit/button'
import { ConflictDialog } from '../../kit/conflict'
import { Dialog } from '../../kit/dialog'
import { FormFailure } from '../../kit/failure'
import { Field, TextArea, TextInput } from '../../kit/field'
import { Form } from '../../kit/form'
import { JsonField } from '../../kit/json-field'
import { toast } from '../../kit/toast'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { AccessFile } from './files'
import { ACCESS, ACCESS_LIST, type AccessState, type AccessView, useAccessEdit } from './use-access-edit'
import { FILE } from './use-catalogue'

interface AccessSheetProps {
  access: AccessView | null
  reason: string | null
  onClose: () => void
}

/** One access level, new or to be changed. */
export function AccessSheet({ access, reason, onClose }: AccessSheetProps) {
  const t = useText('catalogue')
  const common = useText('common')
  const edit = useAccessEdit(access, onClose)
  const { value, set, discard } = edit.draft
  const close = () => {
    discard()
    onClose()
  }
  const put = (change: Partial<AccessState>) => set((state) => ({ ...state, ...change }))
  return (
    <Dialog kind="sheet" title={access?.identifier ?? t.newAccess} onClose={close}>
      <ConflictDialog edit={edit} />
      <Form
        submit={access ? common.save : common.create}
        busy={edit.busy}
        error={edit.error}
        reason={reason}
        onCancel={close}
        onSubmit={edit.save}
      >
        <Field label={t.identifier} name="identifier" hint={t.accessIdentifierHint}>
          <TextInput
            data-first
            className="font-mono"
            maxLength={64}
            value={value.identifier}
            onChange={({ target }) => put({ identifier: target.value })}
          />
        </Field>
        <Field label={common.name} name="displayName">
          <TextInput
            maxLength={255}
            value={value.displayName}
            onChange={({ target }) => put({ displayName: target.value })}
          />
        </Field>
        <Field label={common.description} name="description" isOptional>
          <TextArea
            rows={2}
            maxLength={1000}
            value={value.description}
            onChange={({ target }) => put({ description: target.value })}
          />
        </Field>
        <JsonField
          label={t.metadata}
          name="metadata"
          hint={t.metadataHint}
          isObject
          value={value.metadata}
          onChange={(metadata) => put({ metadata: metadata as Record<string, unknown> })}
        />
      </Form>
      {access && <DeleteAccess access={access} reason={reason} onDone={close} />}
      <AccessFile access={access} edit={edit} />
    </Dialog>
  )
}

/** Only an access level that no product gives can be deleted. */
function DeleteAccess({ access, reason, onDone }: { access: AccessView; reason: string | null; onDone: () => void }) {
  const t = useText('catalogue')
  const common = useText('common')
  const { path } = useProject()
  const action = useAction({
    run: () =>
      api.delete(ACCESS, {
        params: { path: { ...path, id: access.id }, header: { 'If-Match': `"${access.revision}"` } },
      }),
    refreshes: [ACCESS_LIST, FILE],
    onDone: () => {
      toast(common.deletedName(access.identifier))
      onDone()
    },
  })
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      <FormFailure error={action.error} />
      <div className="flex items-center justify-between gap-3 text-sm text-ink-2">
        <span>{access.productCount > 0 ? t.accessInUse(access.productCount) : t.accessUnused}</span>
        <Button
          busy={action.busy}
          reason={reason ?? (access.productCount > 0 ? t.accessInUse(access.productCount) : null)}
          onClick={() => action.submit(undefined)}
        >
          {common.delete}
        </Button>
      </div>
    </div>
  )
}
