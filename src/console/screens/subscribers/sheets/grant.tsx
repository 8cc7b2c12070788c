import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Dialog } from '../../../kit/dialog'
import { Form } from '../../../kit/form'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useOnce } from '../../../lib/use-once'
import { GrantFields, useGrantTerms } from '../../../parts/grant-terms'
import { EventsOut, firstReason, Preview, SideTable, usePreview } from '../../../parts/preview'
import { PERSON_PATHS, usePerson } from '../../../parts/use-person'
import { nameOf, useWords } from '../../../parts/words'
import { useText } from '../../../text/catalogue'

const GRANTS = '/dashboard/projects/{projectId}/subscribers/{id}/grants'

/** Access without a purchase: what, until when, why. */
export function GrantSheet({ onClose }: { onClose: () => void }) {
  const { t } = useWords()
  const c = useText('common')
  const { can } = useProject()
  const { subscriber, access, leadingAccess } = usePerson()
  // What the person lost, and nothing for who never had any.
  const terms = useGrantTerms(leadingAccess !== null && access[leadingAccess] === undefined ? [leadingAccess] : [])
  const call = useCall(terms.body)
  const preview = usePreview([subscriber.id, terms.body], call.preview, terms.isReady)
  const action = useAction({
    run: call.grant,
    refreshes: PERSON_PATHS,
    onDone: () => {
      toast(t.grantedDone)
      onClose()
    },
  })
  return (
    <Dialog kind="sheet" title={t.grantTitle} onClose={onClose}>
      <Form
        onSubmit={() => action.submit(undefined)}
        submit={t.grantSubmit(terms.what)}
        busy={action.busy}
        error={action.error}
        onCancel={onClose}
        isWaiting={preview.isWaiting}
        reason={firstReason(
          can('subscribers:write') ? null : c.roleNeeded('DEVELOPER'),
          terms.isReady ? null : t.grantNothing,
          preview.error,
        )}
      >
        <GrantFields terms={terms} />
        <Preview preview={preview}>{(data) => <Effect data={data} />}</Preview>
      </Form>
    </Dialog>
  )
}

function useCall(body: Schemas['GrantRequest']) {
  const { path } = useProject()
  const { subscriber } = usePerson()
  const params = { path: { ...path, id: subscriber.id } }
  const once = useOnce()
  return {
    preview: () =>
      api.post(GRANTS, { params, body: { ...body, dryRun: true } }) as Promise<unknown> as Promise<
        Schemas['GrantPreview']
      >,
    grant: () => once([subscriber.id, body], (header) => api.post(GRANTS, { params: { ...params, header }, body })),
  }
}

function Effect({ data }: { data: Schemas['GrantPreview'] }) {
  const { subscriber } = usePerson()
  return (
    <>
      <SideTable side={{ id: subscriber.id, name: nameOf(subscriber), access: data.access, balances: data.balances }} />
      <EventsOut types={data.eventTypes} />
    </>
  )
}
