import { CopyButton } from '../../../kit/copy'
import { Page } from '../../../kit/page'
import { SaveBar } from '../../../kit/save-bar'
import { Chip } from '../../../kit/state'
import { Time } from '../../../kit/values'
import { roleFor, useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { FilePart } from '../file-part'
import { FlagEnvironments } from './environments'
import { FlagMenu } from './flag-menu'
import { General } from './general'
import type { FlagView } from './model'
import { PreviewAs, usePerson } from './preview-as'
import { Review } from './review'
import { useFlagEdit } from './use-flag-edit'

export function FlagEditor({ flag }: { flag: FlagView }) {
  const t = useText('growth')
  const common = useText('common')
  const { base, can } = useProject()
  const edit = useFlagEdit(flag)
  const [params, setParams] = useParams()
  const person = usePerson()
  const { draft } = edit
  const isAllowed = can('flags:write')
  const reason = isAllowed ? null : common.roleNeeded(roleFor('flags:write'))
  const touchesProduction = edit.changes.some(({ key }) => key.startsWith('PROD.') || key === 'type')
  const save = () => (touchesProduction ? setParams({ do: 'review' }, { push: true }) : edit.save())
  return (
    <Page
      title={flag.key}
      crumbs={[
        [common.growth, `${base}/growth`],
        [common.flags, `${base}/growth`],
      ]}
      purpose={draft.value.description === '' ? undefined : draft.value.description}
      beside={
        <>
          <CopyButton text={flag.key} />
          <Chip>{t.types[draft.value.type]}</Chip>
        </>
      }
      actions={
        <>
          <span className="text-sm text-ink-2">
            {common.updatedAt} <Time at={flag.updatedAt} />
          </span>
          <FlagMenu flag={flag} reason={reason} />
        </>
      }
    >
      <PreviewAs person={person} />
      <fieldset disabled={!isAllowed} className="contents">
        <FlagEnvironments flagKey={flag.key} edit={edit} person={person.facts} />
        <General state={draft.value} onChange={(change) => draft.set((state) => ({ ...state, ...change }))} />
      </fieldset>
      <FilePart kind="flags" identifier={flag.key} />
      {params.get('do') === 'review' && draft.isChanged && (
        <Review edit={edit} onClose={() => setParams({ do: null })} />
      )}
      <SaveBar edit={edit} onSave={save} label={touchesProduction ? t.reviewAndSave : common.save} reason={reason} />
    </Page>
  )
}
