import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Dialog } from '../../../kit/dialog'
import { Checkbox, Field, Select, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { blankOf, ENVIRONMENTS, type Environment, type FlagType } from './model'
import { ValueInput } from './value-input'

interface NewState {
  key: string
  description: string
  type: FlagType
  defaultValue: unknown
  on: readonly Environment[]
}

function useCreate({ key, description, type, defaultValue, on }: NewState) {
  const { base, path } = useProject()
  const [, navigate] = useLocation()
  return useAction({
    run: async () => {
      // One call for each environment: a key that is taken is refused by the first, and nothing is overwritten.
      for (const env of ENVIRONMENTS) {
        await api.post('/dashboard/projects/{projectId}/feature-flags', {
          params: { path },
          body: {
            key,
            env,
            type,
            defaultValue,
            isEnabled: on.includes(env),
            description: description.trim() === '' ? null : description,
          },
        })
      }
    },
    refreshes: ['/dashboard/projects/{projectId}/feature-flags', '/dashboard/projects/{projectId}/project-file'],
    onDone: () => navigate(`${base}/growth/flags/${encodeURIComponent(key)}`),
  })
}

/** A new flag: the same default everywhere, switched on where it is wanted. */
export function NewFlag({ onClose }: { onClose: () => void }) {
  const t = useText('growth')
  const common = useText('common')
  const [state, setState] = useState<NewState>({
    key: '',
    description: '',
    type: 'BOOLEAN',
    defaultValue: false,
    on: ['DEVELOPMENT'],
  })
  const { key, description, type, defaultValue, on } = state
  const put = (change: Partial<NewState>) => setState({ ...state, ...change })
  const action = useCreate(state)
  return (
    <Dialog kind="sheet" title={t.newFlag} onClose={onClose}>
      <Form
        submit={common.create}
        busy={action.busy}
        error={action.error}
        onCancel={onClose}
        onSubmit={() => action.submit(undefined)}
      >
        <Field label={t.flagKey} name="key" hint={t.keyHint}>
          <TextInput
            data-first
            className="font-mono"
            value={key}
            maxLength={64}
            onChange={({ target }) => put({ key: target.value })}
          />
        </Field>
        <Field label={t.description} name="description" isOptional>
          <TextInput
            value={description}
            maxLength={1000}
            onChange={({ target }) => put({ description: target.value })}
          />
        </Field>
        <Field label={t.valueType} name="type">
          <Select
            value={type}
            onChange={({ target }) =>
              put({ type: target.value as FlagType, defaultValue: blankOf(target.value as FlagType) })
            }
            options={(['BOOLEAN', 'STRING', 'NUMBER', 'JSON'] as const).map((one) => [one, t.types[one]] as const)}
          />
        </Field>
        <FieldOfType label={t.everybodyGets} type={type}>
          <ValueInput
            key={type}
            label={t.everybodyGets}
            type={type}
            value={defaultValue}
            onChange={(next) => put({ defaultValue: next })}
          />
        </FieldOfType>
        <fieldset className="grid gap-1">
          <legend className="mb-1 text-sm font-medium">{t.onIn}</legend>
          {ENVIRONMENTS.map((env) => (
            <Checkbox
              key={env}
              label={t.environments[env]}
              checked={on.includes(env)}
              onChange={(isOn) => put({ on: isOn ? [...on, env] : on.filter((one) => one !== env) })}
            />
          ))}
        </fieldset>
      </Form>
    </Dialog>
  )
}

/** The field of JSON has a label of its own. */
const FieldOfType = ({ label, type, children }: { label: string; type: FlagType; children: ReactNode }) =>
  type === 'JSON' ? (
    children
  ) : (
    <Field label={label} name="defaultValue">
      {children}
    </Field>
  )
