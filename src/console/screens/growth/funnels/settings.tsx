import type { GivenSettings } from '../../../../core/funnel/model'
import { useEvery } from '../../../api/every'
import { Card, Columns } from '../../../kit/card'
import { Field, Select, Switch, TextInput } from '../../../kit/field'
import { ProjectFilePart } from '../../../kit/project-file'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { Editable } from './editable'
import type { Builder } from './use-funnel-edit'

const FLAGS = [
  ['progress', true],
  ['back', true],
  ['locales', true],
  ['requireTermsConsent', false],
  ['emailBeforePayment', false],
  ['requireConsent', false],
  ['deferredMatch', false],
] as const

/** The names of the funnel, what it sells, and how it runs and ends. */
export function FunnelSettings({ builder }: { builder: Builder }) {
  const t = useText('funnels')
  const words = useText('funnelWords')
  const common = useText('common')
  const { state, change, funnel } = builder
  const put = (settings: GivenSettings, key: string) => change((before) => ({ ...before, settings }), `settings.${key}`)
  return (
    <Columns
      main={
        <>
          <Editable builder={builder}>
            <Card title={t.general}>
              <div className="grid items-start gap-4 md:grid-cols-2">
                <Field label={common.name} name="name">
                  <TextInput
                    maxLength={255}
                    value={state.name}
                    onChange={({ target }) => change((before) => ({ ...before, name: target.value }), 'name')}
                  />
                </Field>
                <Field label={words.slug} name="slug" hint={t.slugHint}>
                  <TextInput
                    className="font-mono"
                    maxLength={64}
                    value={state.slug}
                    onChange={({ target }) => change((before) => ({ ...before, slug: target.value }), 'slug')}
                  />
                </Field>
              </div>
            </Card>
            <Selling builder={builder} onChange={put} />
            <Card title={t.running}>
              <div className="grid gap-3">
                {FLAGS.map(([name, usual]) => (
                  <Switch
                    key={name}
                    label={words.settingNames[name]}
                    checked={state.settings[name] ?? usual}
                    onChange={(isOn) => put({ ...state.settings, [name]: isOn }, name)}
                  />
                ))}
              </div>
            </Card>
          </Editable>
          <ProjectFilePart kind="funnel" identifier={funnel.slug} revision={funnel.revision} />
        </>
      }
      side={
        <Editable builder={builder}>
          <Ending settings={state.settings} onChange={put} />
        </Editable>
      }
    />
  )
}

type Put = (settings: GivenSettings, key: string) => void

function Selling({ builder, onChange }: { builder: Builder; onChange: Put }) {
  const t = useText('funnels')
  const words = useText('funnelWords')
  const { path } = useProject()
  const { settings } = builder.state
  const { items } = useEvery('/dashboard/projects/{projectId}/offerings', { params: { path, query: { limit: 200 } } })
  const { offering: _offering, ...without } = settings
  return (
    <Card title={t.selling}>
      <Field label={words.settingNames.offering} hint={t.offeringHint}>
        <Select
          value={settings.offering ?? ''}
          onChange={({ target }) =>
            onChange(target.value === '' ? without : { ...settings, offering: target.value }, 'offering')
          }
          options={[['', t.none] as const, ...items.map(({ identifier }) => [identifier, identifier] as const)]}
        />
      </Field>
    </Card>
  )
}

function Ending({ settings, onChange }: { settings: GivenSettings; onChange: Put }) {
  const t = useText('funnels')
  const words = useText('funnelWords')
  const { supportEmail: _mail, ...without } = settings
  const mode = settings.success?.mode ?? 'claim'
  return (
    <Card title={t.ending}>
      <div className="grid gap-4">
        <Field label={words.settingNames.success}>
          <Select
            value={mode}
            onChange={({ target }) =>
              onChange(
                {
                  ...settings,
                  success: target.value === 'redirect' ? { mode: 'redirect', url: 'https://' } : { mode: 'claim' },
                },
                'mode',
              )
            }
            options={[
              ['claim', t.intoTheApp],
              ['redirect', t.toAnAddress],
            ]}
          />
        </Field>
        {mode === 'redirect' && (
          <Field label={t.address}>
            <TextInput
              value={settings.success?.url ?? ''}
              maxLength={2048}
              onChange={({ target }) => onChange({ ...settings, success: { mode, url: target.value } }, 'url')}
            />
          </Field>
        )}
        <Field label={words.settingNames.supportEmail} hint={t.supportHint} isOptional>
          <TextInput
            value={settings.supportEmail ?? ''}
            maxLength={254}
            onChange={({ target }) =>
              onChange(target.value === '' ? without : { ...settings, supportEmail: target.value }, 'supportEmail')
            }
          />
        </Field>
        <Field label={words.settingNames.queryParameters} hint={t.parametersHint} isOptional>
          <TextInput
            className="font-mono"
            value={(settings.queryParameters ?? []).join(', ')}
            onChange={({ target }) => {
              const queryParameters = target.value.split(/[\s,]+/).filter(Boolean)
              onChange({ ...settings, queryParameters }, 'queryParameters')
            }}
          />
        </Field>
      </div>
    </Card>
  )
}
