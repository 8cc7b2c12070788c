import { listWarnings } from '../../../../core/audience/check'
import { Card, Columns } from '../../../kit/card'
import { EditFields } from '../../../kit/edit-fields'
import { Field, TextInput } from '../../../kit/field'
import { Page } from '../../../kit/page'
import { SaveBar } from '../../../kit/save-bar'
import { Chip } from '../../../kit/state'
import { roleFor, useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { AudienceFile } from '../files'
import { RuleBuilder } from '../rules/builder'
import { PeoplePreview } from '../rules/people'
import { AudienceMenu } from './audience-menu'
import { GrantButton } from './grant-button'
import { MemberList } from './member-list'
import { References } from './references'
import { type AudienceView, useAudienceEdit } from './use-audience-edit'

/** One audience: whom its rules match, counted while they are edited, and what uses it. */
export function AudienceEditor({ audience }: { audience: AudienceView | null }) {
  const t = useText('growth')
  const common = useText('common')
  const { base, can } = useProject()
  const edit = useAudienceEdit(audience)
  const { value, set } = edit.draft
  const isDefault = audience?.isDefault ?? false
  const isAllowed = can('audiences:write')
  const reason = isAllowed ? null : common.roleNeeded(roleFor('audiences:write'))
  return (
    <Page
      title={audience?.name ?? t.newAudience}
      crumbs={[
        [common.growth, `${base}/growth`],
        [common.audiences, `${base}/growth/audiences`],
      ]}
      beside={isDefault ? <Chip>{t.defaultAudience}</Chip> : undefined}
      purpose={isDefault ? t.defaultAudienceFixed : undefined}
      actions={
        audience && (
          <>
            <GrantButton audience={audience} isChanged={edit.draft.isChanged} />
            {!isDefault && <AudienceMenu audience={audience} reason={reason} />}
          </>
        )
      }
    >
      <Columns
        main={
          <>
            <EditFields edit={edit} reason={reason} isFixed={isDefault}>
              <Card title={t.general}>
                <div className="grid items-start gap-4 md:grid-cols-2">
                  <Field label={common.name} name="name">
                    <TextInput
                      value={value.name}
                      maxLength={255}
                      onChange={({ target }) => set((state) => ({ ...state, name: target.value }))}
                    />
                  </Field>
                  <Field label={t.description} name="description" isOptional>
                    <TextInput
                      value={value.description}
                      maxLength={1000}
                      onChange={({ target }) => set((state) => ({ ...state, description: target.value }))}
                    />
                  </Field>
                </div>
              </Card>
              <Card title={t.whoBelongs}>
                <RuleBuilder
                  value={value.rules}
                  disabled={!isAllowed || isDefault}
                  onChange={(rules) => set((state) => ({ ...state, rules }))}
                />
                {listWarnings(value.rules, audience?.memberCount ?? 0).length > 0 && (
                  <p className="text-sm text-ink-2">{t.listWithoutRules}</p>
                )}
              </Card>
            </EditFields>
            <AudienceFile audience={audience} edit={edit} />
          </>
        }
        side={
          <>
            <Card title={t.matching}>
              <PeoplePreview rules={value.rules} />
            </Card>
            {audience && !isDefault && <MemberList audience={audience} reason={reason} />}
            {audience && <References audience={audience} />}
          </>
        }
      />
      <SaveBar edit={edit} label={audience ? common.save : common.create} reason={reason} />
    </Page>
  )
}
