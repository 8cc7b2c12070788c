import { api } from '../../../api/client'
import { ApiFailure } from '../../../api/failure'
import { Card, Columns } from '../../../kit/card'
import { FieldErrors } from '../../../kit/field'
import { Page } from '../../../kit/page'
import { SaveBar } from '../../../kit/save-bar'
import { Chip } from '../../../kit/state'
import { roleFor, useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { FilePart } from '../../growth/file-part'
import { ObjectMenu } from '../../growth/object-menu'
import { OfferingGeneral } from './general'
import type { OfferingView } from './model'
import { Packages } from './packages'
import { DevicePreview } from './preview'
import { useOfferingEdit } from './use-offering-edit'

/** One offering: its packages in order, and what a device gets. */
export function OfferingEditor({ offering }: { offering: OfferingView | null }) {
  const t = useText('catalogue')
  const common = useText('common')
  const { base, can } = useProject()
  const edit = useOfferingEdit(offering)
  const reason = can('products:write') ? null : common.roleNeeded(roleFor('products:write'))
  const fields = edit.error instanceof ApiFailure ? edit.error.fields : {}
  return (
    <Page
      title={offering?.identifier ?? t.newOffering}
      crumbs={[
        [common.catalogue, `${base}/catalogue`],
        [common.offerings, `${base}/catalogue/offerings`],
      ]}
      beside={offering?.isDefault && <Chip tone="info">{t.default}</Chip>}
      actions={offering && <OfferingMenu offering={offering} reason={reason} />}
    >
      <Columns
        main={
          <FieldErrors.Provider value={fields}>
            <fieldset disabled={reason !== null} className="contents">
              <Card title={t.packages} aside={t.packagesHint}>
                <Packages draft={edit.draft} />
              </Card>
              <OfferingGeneral draft={edit.draft} isMarked={offering?.isDefault ?? false} />
            </fieldset>
            {offering && <FilePart kind="offerings" identifier={offering.identifier} />}
          </FieldErrors.Provider>
        }
        side={<DevicePreview state={edit.draft.value} />}
      />
      <SaveBar edit={edit} label={offering ? common.save : common.create} reason={reason} />
    </Page>
  )
}

function OfferingMenu({ offering, reason }: { offering: OfferingView; reason: string | null }) {
  const t = useText('catalogue')
  const { base, path } = useProject()
  const { id, identifier, revision } = offering
  return (
    <ObjectMenu
      name={identifier}
      reason={reason}
      effect={<p>{offering.isDefault ? t.deleteDefaultEffect : t.deleteOfferingEffect}</p>}
      onDelete={() =>
        api.delete('/dashboard/projects/{projectId}/offerings/{id}', {
          params: { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } },
        })
      }
      refreshes={['/dashboard/projects/{projectId}/offerings']}
      next={`${base}/catalogue/offerings`}
    />
  )
}
