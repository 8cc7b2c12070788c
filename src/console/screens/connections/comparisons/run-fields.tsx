import { Field, Switch, TextInput } from '../../../kit/field'
import { useText } from '../../../text/catalogue'

export interface RunDraft {
  key: string
  rate: string
  sample: string
  skipSandbox: boolean
}

export const EMPTY_RUN: RunDraft = { key: '', rate: '1', sample: '', skipSandbox: true }

/** What both a comparison and a schedule of comparisons need. */
export const bodyOf = ({ rate, sample, skipSandbox }: RunDraft) => ({
  vendor: 'revenuecat' as const,
  rate: Number(rate),
  sample: sample.trim() === '' ? null : Number(sample),
  skipSandbox,
})

interface RunFieldsProps {
  draft: RunDraft
  onChange: (draft: RunDraft) => void
  keyHint: string
}

export function RunFields({ draft, onChange, keyHint }: RunFieldsProps) {
  const t = useText('moving')
  const set = (change: Partial<RunDraft>) => onChange({ ...draft, ...change })
  return (
    <>
      <Field label={t.vendorKey} name="key" hint={keyHint}>
        <TextInput
          data-first
          type="password"
          autoComplete="new-password"
          value={draft.key}
          onChange={({ target }) => set({ key: target.value.trim() })}
          className="font-mono"
        />
      </Field>
      <Field label={t.rate} name="rate" hint={t.rateHint}>
        <TextInput inputMode="decimal" value={draft.rate} onChange={({ target }) => set({ rate: target.value })} />
      </Field>
      <Field label={t.sample} name="sample" isOptional hint={t.sampleHint}>
        <TextInput inputMode="numeric" value={draft.sample} onChange={({ target }) => set({ sample: target.value })} />
      </Field>
      <Switch
        checked={draft.skipSandbox}
        onChange={(skipSandbox) => set({ skipSandbox })}
        label={t.importOptions.skipSandbox[0] ?? ''}
      />
    </>
  )
}
