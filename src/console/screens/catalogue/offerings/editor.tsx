import { Card, Columns } from '../../../kit/card'
import { EditFields } from '../../../kit/edit-fields'
import { Page } from '../../../kit/page'
import { SaveBar } from '../../../kit/save-bar'
import { Chip } from '../../../kit/state'
import { roleFor, useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { OfferingFile } from '../files'
import { OfferingGeneral } from './general'
import type { OfferingView } from './model'
import { OfferingMenu } from './offering-menu'
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
          <>
            <EditFields edit={edit} reason={reason}>
              <Card title={t.packages} aside={t.packagesHint}>
                <Packages draft={edit.draft} />
              </Card>
              <OfferingGeneral draft={edit.draft} isMarked={offering?.isDefault ?? false} />
            </EditFields>
            <OfferingFile offering={offering} edit={edit} />
          </>
        }
        side={<DevicePreview state={edit.draft.value} />}
      />
      <SaveBar edit={edit} label={offering ? common.save : common.create} reason={reason} />
    </Page>
  )
}
