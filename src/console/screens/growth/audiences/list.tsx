import { Plus } from 'lucide-react'
import { Button, LinkButton } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { TextInput } from '../../../kit/field'
import { Page } from '../../../kit/page'
import { Chip } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { Time } from '../../../kit/values'
import { roleFor, useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useAudiences } from '../flags/use-words'
import { rulesText } from '../rules/model'

/** Groups of people by rules, and what uses them. */
export default function Audiences() {
  const t = useText('growth')
  const common = useText('common')
  const { base, can } = useProject()
  const [text, setText] = useParam('q')
  const list = useAudiences()
  const items = list.items.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
  const create = can('audiences:write') ? (
    <LinkButton variant="primary" icon={<Plus aria-hidden size={14} />} href={`${base}/growth/audiences/new`}>
      {t.newAudience}
    </LinkButton>
  ) : (
    <Button reason={common.roleNeeded(roleFor('audiences:write'))}>{t.newAudience}</Button>
  )
  return (
    <Page
      title={common.audiences}
      purpose={t.audiencesPurpose}
      actions={create}
      search={
        <div className="w-64 max-w-full">
          <TextInput
            type="search"
            aria-label={common.search}
            placeholder={common.name}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
      }
    >
      <Card flush>
        <DataTable
          label={common.audiences}
          list={{ ...list, items }}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `${base}/growth/audiences/${id}`}
          empty={<Empty title={text === '' ? common.nothingHere : common.nothingFound} action={create} />}
          columns={[
            { title: common.name, cell: ({ name }) => name, whole: ({ name }) => name },
            {
              title: t.rules,
              cell: ({ rules, isDefault }) =>
                isDefault ? <Chip>{t.everybody}</Chip> : <code className="font-mono text-xs">{rulesText(rules)}</code>,
              whole: ({ rules }) => rulesText(rules),
            },
            { title: t.usedBy, isNumber: true, cell: ({ references }) => references.length },
            { title: common.updatedAt, isExtra: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
          ]}
        />
      </Card>
    </Page>
  )
}
