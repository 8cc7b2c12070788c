import { useEffect } from 'react'
import { useRead } from '../../api/queries'
import { LinkButton } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { OVERVIEW } from './live'

/** Says what will be here, and gives way to the overview with the first purchase. */
export default function NoPurchase({ onDone }: { onDone: () => void }) {
  const t = useText('overview')
  const { path, base } = useProject()
  const overview = useRead(OVERVIEW, { params: { path } })
  const isBought = overview.data !== undefined && overview.data.first.purchase !== null
  useEffect(() => {
    if (isBought) onDone()
  }, [isBought, onDone])
  return (
    <Page title={t.title}>
      <Card>
        <Empty title={t.noPurchase} action={<LinkButton href={`${base}/connections`}>{t.noPurchaseAction}</LinkButton>}>
          {t.noPurchaseHint}
        </Empty>
      </Card>
    </Page>
  )
}
