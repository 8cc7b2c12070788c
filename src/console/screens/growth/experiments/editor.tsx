import { EditFields } from '../../../kit/edit-fields'
import { Page } from '../../../kit/page'
import { SaveBar } from '../../../kit/save-bar'
import { State } from '../../../kit/state'
import { roleFor, useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { ExperimentFile } from '../files'
import { ExperimentActions } from './actions'
import { ExperimentGeneral } from './general'
import { type ExperimentView, TONES } from './model'
import { Results } from './results'
import { useExperimentEdit } from './use-experiment-edit'
import { Variants } from './variants'
import { When } from './when'

/** One experiment from draft to decision. */
export function ExperimentEditor({ experiment }: { experiment: ExperimentView | null }) {
  const t = useText('growth')
  const common = useText('common')
  const { base, can } = useProject()
  const edit = useExperimentEdit(experiment)
  const status = experiment?.status ?? 'DRAFT'
  const isOpen = status === 'DRAFT' || status === 'RUNNING'
  const reason = can('experiments:write') ? null : common.roleNeeded(roleFor('experiments:write'))
  return (
    <Page
      title={experiment?.name ?? t.newExperiment}
      crumbs={[
        [common.growth, `${base}/growth`],
        [common.experiments, `${base}/growth/experiments`],
      ]}
      beside={experiment && <State tone={TONES[status]}>{t.statuses[status]}</State>}
      purpose={t.statusHints[status]}
      actions={
        experiment && <ExperimentActions experiment={experiment} reason={reason} isChanged={edit.draft.isChanged} />
      }
    >
      {experiment?.startedAt && <Results experiment={experiment} />}
      <EditFields edit={edit} reason={reason} isFixed={!isOpen}>
        <Variants draft={edit.draft} isStarted={experiment?.startedAt != null} />
        <ExperimentGeneral draft={edit.draft} isStarted={experiment?.startedAt != null} />
        <When draft={edit.draft} experiment={experiment} />
      </EditFields>
      <ExperimentFile experiment={experiment} edit={edit} />
      <SaveBar edit={edit} label={experiment ? common.save : t.createDraft} reason={reason} />
    </Page>
  )
}
