import { Pencil, Trash2 } from 'lucide-react'
import type { FunnelPage } from '../../../../../core/funnel/model'
import { Button } from '../../../../kit/button'
import { Card, Facts } from '../../../../kit/card'
import { Count, Share } from '../../../../kit/values'
import { useText } from '../../../../text/catalogue'
import { pageName } from '../lines'
import type { Builder } from '../use-funnel-edit'
import { useFunnelWords } from '../use-words'
import { usePageFigures } from './use-page-figures'
import { WaysCard } from './ways'

interface ChosenPageProps {
  builder: Builder
  page: FunnelPage
  onOpen: (id: string) => void
  onRemove: (id: string) => void
}

/** The figures and the rules of the page that is chosen in the flow. */
export function ChosenPage({ builder, page, onOpen, onRemove }: ChosenPageProps) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const figures = usePageFigures(builder.funnel.id).get(page.id)
  return (
    <>
      <Card title={pageName(page, builder.state, words)} aside={words.pageTypes[page.type]}>
        <Facts
          items={[
            [t.arrive, <Count key="a" value={figures?.views ?? null} />],
            [t.goOn, <Count key="g" value={figures?.advances ?? null} />],
            [t.leaveHere, <Share key="l" value={figures?.dropRate ?? null} />],
            [t.medianTime, figures?.medianSeconds == null ? null : t.secondsOf(Math.round(figures.medianSeconds))],
          ]}
        />
        <div className="flex flex-wrap gap-2 pt-3">
          <Button variant="primary" icon={<Pencil aria-hidden size={14} />} onClick={() => onOpen(page.id)}>
            {t.editPage}
          </Button>
          <Button icon={<Trash2 aria-hidden size={14} />} reason={builder.reason} onClick={() => onRemove(page.id)}>
            {t.remove}
          </Button>
        </div>
      </Card>
      <WaysCard builder={builder} page={page} />
    </>
  )
}
