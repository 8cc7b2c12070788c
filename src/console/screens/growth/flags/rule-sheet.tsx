import type { FlagEnvironment } from '../../../../core/flag/names'
import { Button } from '../../../kit/button'
import { Dialog } from '../../../kit/dialog'
import { Field, Select, TextInput } from '../../../kit/field'
import { focusUnreadable } from '../../../kit/form'
import { useText } from '../../../text/catalogue'
import { RuleBuilder } from '../rules/builder'
import { PeoplePreview } from '../rules/people'
import type { Rule } from './model'
import { rulesOf } from './rule-people'
import { useWords } from './use-words'

interface RuleSheetProps {
  rule: Rule
  env: FlagEnvironment
  onChange: (rule: Rule) => void
  onClose: () => void
}

/** Whom a rule is for: an audience, conditions, or both. */
export function RuleSheet({ rule, env, onChange, onClose }: RuleSheetProps) {
  const t = useText('growth')
  const common = useText('common')
  const { audiences } = useWords()
  return (
    <Dialog kind="sheet" title={t.whoGets(t.environments[env])} onClose={onClose}>
      <Field label={t.audience} hint={t.audienceHint}>
        <Select
          data-first
          value={rule.audienceId ?? ''}
          onChange={({ target }) => onChange({ ...rule, audienceId: target.value === '' ? null : target.value })}
          options={[['', t.everybody], ...audiences.map(({ id, name }) => [id, name] as const)]}
        />
      </Field>
      <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h3 className="text-sm font-medium">{t.conditions}</h3>
        <p className="text-xs text-ink-2">{t.conditionsHint}</p>
        <RuleBuilder
          value={rule.conditions ?? {}}
          onChange={(conditions) =>
            onChange({ ...rule, conditions: Object.keys(conditions).length === 0 ? null : conditions })
          }
        />
      </section>
      <Field label={t.rolloutBy} hint={t.rolloutByHint} isOptional>
        <TextInput
          className="font-mono"
          maxLength={100}
          value={rule.bucketBy ?? ''}
          onChange={({ target }) => onChange({ ...rule, bucketBy: target.value === '' ? null : target.value })}
        />
      </Field>
      <section className="grid gap-2 border-t border-line pt-3">
        <h3 className="text-sm font-medium">{t.matching}</h3>
        <PeoplePreview rules={rulesOf(rule, audiences)} />
      </section>
      <div className="flex justify-end">
        <Button
          variant="primary"
          onClick={({ currentTarget }) => !focusUnreadable(currentTarget.closest('dialog')) && onClose()}
        >
          {common.done}
        </Button>
      </div>
    </Dialog>
  )
}
