import { Card, Columns } from '../../../kit/card'
import { EditFields } from '../../../kit/edit-fields'
import { Page } from '../../../kit/page'
import { SaveBar } from '../../../kit/save-bar'
import { State } from '../../../kit/state'
import { roleFor, useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { PlacementFile } from '../files'
import { PlacementGeneral } from './general'
import { PlacementMetrics } from './metrics'
import { firstUnchosen, type PlacementView } from './model'
import { PlacementMenu } from './placement-menu'
import { PlacementRows } from './rows'
import { usePlacementEdit } from './use-placement-edit'

/** One placement: its rows in order, and what came of it. */
export function PlacementEditor({ placement }: { placement: PlacementView | null }) {
  const t = useText('growth')
  const common = useText('common')
  const { base, can } = useProject()
  const edit = usePlacementEdit(placement)
  const reason = can('placements:write') ? null : common.roleNeeded(roleFor('placements:write'))
  const unchosen = firstUnchosen(edit.draft.value)
  const missing = unchosen === null ? null : t.targetMissing(unchosen)
  return (
    <Page
      title={placement?.identifier ?? t.newPlacement}
      crumbs={[
        [common.growth, `${base}/growth`],
        [common.placements, `${base}/growth/placements`],
      ]}
      purpose={placement?.name}
      beside={
        placement && (
          <State tone={placement.isActive ? 'good' : 'mute'}>{placement.isActive ? t.active : t.inactive}</State>
        )
      }
      actions={placement && <PlacementMenu placement={placement} reason={reason} />}
    >
      <Columns
        main={
          <>
            <EditFields edit={edit} reason={reason}>
              <Card title={t.rows} aside={t.rowsHint}>
                <PlacementRows draft={edit.draft} />
              </Card>
              <PlacementGeneral draft={edit.draft} />
            </EditFields>
            <PlacementFile placement={placement} edit={edit} />
          </>
        }
        side={placement && <PlacementMetrics id={placement.id} />}
      />
      <SaveBar edit={edit} label={placement ? common.save : common.create} reason={reason ?? missing} />
    </Page>
  )
}
