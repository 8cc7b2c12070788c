import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { ENVIRONMENTS, type FlagEnvironment, type FlagType } from '../../../../core/flag/names'
import { api } from '../../../api/client'
import { ApiFailure, isEditConflict } from '../../../api/failure'
import { useAction } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Dialog } from '../../../kit/dialog'
import { Checkbox, Field, Select, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { blankOf, NO_FLAG } from './model'
import { ValueInput } from './value-input'

interface NewState {
  key: string
  description: string
  type: FlagType
  defaultValue: unknown
  on: readonly FlagEnvironment[]
}

/** One call for all environments: a key that is taken in one of them is refused, and nothing is written. */
function useCreate(state: NewState) {
  const t = useText('growth')
  const { base, path } = useProject()
  const { key } = state
  const [, navigate] = useLocation()
  return useAction({
    run: async () => {
      // Such a key would make the address of another call.
      if (['', '.', '..'].includes(key)) throw refusedKey(400, 'VALIDATION_ERROR', t.keyHint)
      const params = { path: { ...path, key }, header: { 'If-Match': `"${NO_FLAG}"` } }
      try {
        return await api.put('/dashboard/projects/{projectId}/feature-flags/by-key/{key}', {
          params,
          body: bodyOf(state),
        })
      } catch (error) {
        throw isEditConflict(error) ? refusedKey(409, 'CONFLICT', t.keyTaken(key), error.requestId) : error
      }
    },
    refreshes: ['/dashboard/projects/{projectId}/feature-flags', '/dashboard/projects/{projectId}/project-file'],
    onDone: () => navigate(`${base}/growth/flags/${encodeURIComponent(key)}`),
  })
}

const refusedKey = (status: number, code: string, message: string, requestId: string | null = null): ApiFailure =>
  new ApiFailure(status, code, message, { fields: { key: message } }, requestId, null)

function bodyOf({ description, type, defaultValue, on }: NewState): Schemas['FeatureFlagOfKeyRequest'] {
  const flagIn = (env: FlagEnvironment) => ({ defaultValue, isEnabled: on.includes(env) })
  return {
    type,
    description: description.trim() === '' ? null : description,
    environments: { PROD: flagIn('PROD'), STAGING: flagIn('STAGING'), DEVELOPMENT: flagIn('DEVELOPMENT') },
  }
}

/** A new flag: the same default everywhere, switched on where it is wanted. */
export function NewFlag({ reason, onClose }: { reason: string | null; onClose: () => void }) {
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
        reason={reason}
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
        <Field label={t.description} name="environments.PROD.description" isOptional>
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
    <Field label={label} name="environments.PROD.defaultValue">
      {children}
    </Field>
  )
