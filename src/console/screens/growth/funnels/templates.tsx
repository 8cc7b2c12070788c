import type { TemplateId } from '../../../../core/funnel/templates/list'
import { useRead } from '../../../api/queries'
import { Card } from '../../../kit/card'
import { useText } from '../../../text/catalogue'

/** What a funnel can start with. */
export function Templates({ reason, onChoose }: { reason: string | null; onChoose: (id: string) => void }) {
  const t = useText('funnels')
  const templates = useTemplates()
  if (templates.length === 0) return null
  return (
    <Card title={t.fromTemplate} aside={t.templatesHint} flush>
      <ul className="grid grid-cols-2 gap-px bg-line md:grid-cols-4">
        {templates.map(({ id, pages }) => (
          <li key={id} className="bg-surface">
            <button
              type="button"
              disabled={reason !== null}
              title={reason ?? undefined}
              onClick={() => onChoose(id)}
              className="grid w-full justify-items-start gap-1.5 p-4 text-left -outline-offset-2 hover:bg-hover"
            >
              <span aria-hidden className="flex gap-1">
                {pages.map((page) => (
                  <span
                    key={page.id}
                    className="grid h-5 w-3 justify-items-center rounded-chip border border-line-2 pt-0.5"
                  >
                    <span className={page.type === 'payment' ? 'h-0.5 w-1.5 bg-accent' : 'h-0.5 w-1.5 bg-line-2'} />
                  </span>
                ))}
              </span>
              <span className="text-sm font-medium">{t.templateNames[id as TemplateId] ?? id}</span>
              <span className="text-xs text-ink-2">{t.pageCount(pages.length)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The templates, as the server lists them. */
export const useTemplates = () => useRead('/dashboard/funnel-templates', {}).data?.items ?? []
