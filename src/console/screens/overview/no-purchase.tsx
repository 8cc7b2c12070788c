import { LinkButton } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** Says what will be here. */
export default function NoPurchase() {
  const t = useText('overview')
  const { base } = useProject()
  return (
    <Card>
      <Empty title={t.noPurchase} action={<LinkButton href={`${base}/connections`}>{t.noPurchaseAction}</LinkButton>}>
        {t.noPurchaseHint}
      </Empty>
    </Card>
  )
}
