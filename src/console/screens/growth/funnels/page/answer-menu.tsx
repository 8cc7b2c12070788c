import { ChevronDown } from 'lucide-react'
import { Menu, type MenuItem } from '../../../../kit/menu'
import { useText } from '../../../../text/catalogue'
import type { FunnelState } from '../model'

interface AnswerMenuProps {
  state: FunnelState
  answers: Readonly<Record<string, unknown>>
  onChange: (answers: Readonly<Record<string, unknown>>) => void
}

/** As whom the preview is seen: the answers that decide what is shown and where a way leads. */
export function AnswerMenu({ state, answers, onChange }: AnswerMenuProps) {
  const t = useText('funnels')
  const options = state.pages.flatMap((page) =>
    page.fields.flatMap((field) => field.options.map((option) => [field, option] as const)),
  )
  if (options.length === 0) return null
  const items = options.map(([field, option]): MenuItem => {
    const isChecked = answers[field.id] === option.id || isIn(answers[field.id], option.id)
    const given = field.kind === 'multi' ? [option.id] : option.id
    const { [field.id]: _before, ...others } = answers
    return {
      label: `${field.id}: ${option.label[state.defaultLocale] ?? option.id}`,
      isChecked,
      onSelect: () => onChange(isChecked ? others : { ...others, [field.id]: given }),
    }
  })
  const chosen = Object.entries(answers).map(([field, answer]) => `${field}: ${[answer].flat().join(', ')}`)
  return (
    <Menu
      align="left"
      className="inline-flex h-8 items-center gap-1.5 rounded-control border border-line-2 bg-surface px-2.5 text-sm max-md:h-9"
      label={
        <>
          <span className="text-ink-2">{t.as}</span>
          <span className="max-w-40 truncate font-medium">{chosen.join(', ') || t.anybody}</span>
          <ChevronDown aria-hidden size={14} />
        </>
      }
      items={items}
    />
  )
}

const isIn = (answer: unknown, id: string): boolean => Array.isArray(answer) && answer.includes(id)
