import { useEffect } from 'react'
import { isSame } from '../../../kit/draft'
import { EditFields } from '../../../kit/edit-fields'
import { Page } from '../../../kit/page'
import { SaveBar } from '../../../kit/save-bar'
import { roleFor, useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { FlagFile } from '../files'
import { FlagEnvironments } from './environments'
import { FlagActions, FlagBeside } from './flag-menu'
import { General } from './general'
import type { FlagState, FlagView } from './model'
import { PreviewAs, usePerson } from './preview-as'
import { Review } from './review'
import { useFlagEdit } from './use-flag-edit'

/** Not by the lines of the changes: two rules that differ can read the same. */
const isOtherInProduction = (before: FlagState, after: FlagState): boolean =>
  before.type !== after.type || !isSame(before.environments.PROD, after.environments.PROD)

export function FlagEditor({ flag }: { flag: FlagView }) {
  const t = useText('growth')
  const common = useText('common')
  const { base, can } = useProject()
  const edit = useFlagEdit(flag)
  const [params, setParams] = useParams()
  const person = usePerson()
  const { draft } = edit
  const isReviewing = params.get('do') === 'review'
  const isOver = isReviewing && !draft.isChanged
  useEffect(() => {
    if (isOver) setParams({ do: null })
  }, [isOver, setParams])
  const reason = can('flags:write') ? null : common.roleNeeded(roleFor('flags:write'))
  const touchesProduction = isOtherInProduction(draft.base.value, draft.value)
  const save = () => (touchesProduction ? setParams({ do: 'review' }, { push: true }) : edit.save())
  return (
    <Page
      title={flag.key}
      crumbs={[
        [common.growth, `${base}/growth`],
        [common.flags, `${base}/growth`],
      ]}
      purpose={draft.value.description === '' ? undefined : draft.value.description}
      beside={<FlagBeside flagKey={flag.key} type={draft.value.type} />}
      actions={<FlagActions flag={flag} reason={reason} />}
    >
      <PreviewAs person={person} />
      <EditFields edit={edit} reason={reason}>
        <FlagEnvironments flagKey={flag.key} edit={edit} person={person.facts} />
        <General state={draft.value} onChange={(change) => draft.set((state) => ({ ...state, ...change }))} />
      </EditFields>
      <FlagFile flag={flag} edit={edit} />
      {isReviewing && draft.isChanged && <Review edit={edit} onClose={() => setParams({ do: null })} />}
      <SaveBar edit={edit} onSave={save} label={touchesProduction ? t.reviewAndSave : common.save} reason={reason} />
    </Page>
  )
}
