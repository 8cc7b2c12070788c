import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FunnelPage, FunnelRule } from '../../../../../core/funnel/model'
import { Button, IconButton } from '../../../../kit/button'
import { Card } from '../../../../kit/card'
import { Field, Select } from '../../../../kit/field'
import { moved, SortableList } from '../../../../kit/sortable'
import { useText } from '../../../../text/catalogue'
import { ConditionsEditor, firstCondition } from '../conditions'
import { Editable } from '../editable'
import { conditionsInWords, pageName } from '../lines'
import { withPage } from '../pages'
import type { Builder } from '../use-funnel-edit'
import { useFunnelWords } from '../use-words'
import { countedWays } from './people'
import { usePageFigures } from './use-page-figures'

/** Where a page leads: the first rule that matches, else the last line. */
export function WaysCard({ builder, page }: { builder: Builder; page: FunnelPage }) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const { state, change, reason } = builder
  const { rules, default: last } = page.next
  const ways = countedWays(page, usePageFigures(builder.funnel.id))
  const put = (next: FunnelPage['next'], key?: string) =>
    change((before) => withPage(before, page.id, (one) => ({ ...one, next })), key)
  const targets = state.pages
    .filter(({ id }) => id !== page.id)
    .map((one) => [one.id, pageName(one, state, words)] as const)
  const people = (number: number | null) => (number === null ? undefined : t.peopleCount(number))
  const add = () => {
    const to = targets[0]?.[0] ?? page.id
    put({ rules: [...rules, { match: 'all', when: [firstCondition(state)], to }], default: last })
  }
  return (
    <Card title={t.whereItLeads} aside={rules.length > 1 ? t.firstMatch : undefined}>
      <Editable builder={builder}>
        <div className="grid gap-3">
          <SortableList
            items={rules.map((rule, index) => ({ rule, key: `rule${index}` }))}
            keyOf={({ key }) => key}
            nameOf={({ rule }) => conditionsInWords(rule.when, words)}
            isFixed={reason !== null}
            onMove={(from, to) => put({ rules: moved(rules, from, to), default: last })}
          >
            {({ rule }, index, handle) => (
              <Rule
                {...{ builder, rule, targets, handle }}
                people={ways[index]?.people ?? null}
                number={index + 1}
                onChange={(next) =>
                  put(
                    { rules: next ? rules.with(index, next) : rules.filter((_, at) => at !== index), default: last },
                    next ? `${page.id}.rule.${index}` : undefined,
                  )
                }
              />
            )}
          </SortableList>
          <Field
            label={rules.length === 0 ? t.everybodyTo : t.everybodyElseTo}
            hint={people(ways.find(({ rule }) => rule === null)?.people ?? null)}
          >
            <Select
              value={last ?? ''}
              onChange={({ target }) => put({ rules, default: target.value === '' ? null : target.value })}
              options={[['', words.theEnd] as const, ...targets]}
            />
          </Field>
          <div>
            <Button variant="quiet" icon={<Plus aria-hidden size={14} />} onClick={add}>
              {t.addRule}
            </Button>
          </div>
        </div>
      </Editable>
    </Card>
  )
}

interface RuleProps {
  builder: Builder
  rule: FunnelRule
  number: number
  targets: readonly (readonly [id: string, name: string])[]
  handle: ReactNode
  people: number | null
  onChange: (rule: FunnelRule | null) => void
}

function Rule({ builder, rule, number, targets, handle, people, onChange }: RuleProps) {
  const t = useText('funnels')
  const common = useText('common')
  return (
    <div className="grid gap-2 rounded-control border border-line p-2">
      <div className="flex items-center justify-between">
        <span className="text-xs text-ink-2">
          {t.rule(number)}
          {people !== null && <> · {t.peopleCount(people)}</>}
        </span>
        <span className="flex">
          {handle}
          <IconButton label={`${common.remove}: ${t.rule(number)}`} onClick={() => onChange(null)}>
            <X aria-hidden size={14} />
          </IconButton>
        </span>
      </div>
      <ConditionsEditor state={builder.state} value={rule} onChange={(next) => onChange({ ...rule, ...next })} />
      <Field label={t.thenTo}>
        <Select value={rule.to} onChange={({ target }) => onChange({ ...rule, to: target.value })} options={targets} />
      </Field>
    </div>
  )
}
