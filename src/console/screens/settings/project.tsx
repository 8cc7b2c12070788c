import { Card, Columns, Facts, Stack } from '../../kit/card'
import { Id } from '../../kit/copy'
import { FormFailure } from '../../kit/failure'
import { FieldErrors } from '../../kit/field'
import { Page } from '../../kit/page'
import { ProjectFilePart } from '../../kit/project-file'
import { Chip } from '../../kit/state'
import { Time } from '../../kit/values'
import { roleFor, useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { projectAsFile } from './as-file'
import { CommissionRates } from './commission-rates'
import { useProjectDraft } from './project-draft'
import { type Edit, GROUPS, OwnFields, SettingField } from './project-fields'
import { SaveBar } from './save-bar'

/** Name, addresses, settings and commission rates of the project. */
export default function ProjectSettings() {
  const t = useText('settings')
  const c = useText('common')
  const { project, can } = useProject()
  const draft = useProjectDraft()
  const reason = can('project:settings:write') ? null : c.roleNeeded(roleFor('project:settings:write'))
  const edit: Edit = { values: draft.values, set: draft.set, disabled: reason !== null }
  return (
    <Page
      title={c.project}
      purpose={t.projectPurpose}
      beside={project.suspendedAt !== null && <Chip tone="bad">{t.suspended}</Chip>}
    >
      {reason !== null && <p className="text-sm text-ink-2">{reason}</p>}
      <Columns
        main={
          <FieldErrors.Provider value={draft.fields}>
            <Stack>
              <FormFailure error={draft.error} />
              <OwnFields edit={edit} />
              {GROUPS.map(([group, names]) => (
                <Card key={group} title={t.groups[group]}>
                  <div className="grid max-w-xl gap-5">
                    {names.map((name) => (
                      <SettingField key={name} name={name} edit={edit} />
                    ))}
                  </div>
                </Card>
              ))}
              <CommissionRates reason={reason} />
            </Stack>
          </FieldErrors.Provider>
        }
        side={
          <>
            <Card title={t.facts}>
              <Facts
                items={[
                  [c.id, <Id key="id" id={project.id} />],
                  [t.yourRole, project.role === 'SUPPORT_READ' ? c.support : t.roleName[project.role]],
                  [c.createdAt, <Time key="created" at={project.createdAt} day absolute />],
                  [c.updatedAt, <Time key="updated" at={project.updatedAt} />],
                ]}
              />
            </Card>
            <ProjectFilePart
              kind="project"
              identifier=""
              revision={project.revision}
              changedAs={draft.changed.length > 0 ? projectAsFile(draft.body, project.slug) : null}
            />
          </>
        }
      />
      <SaveBar draft={draft} reason={reason} />
    </Page>
  )
}
